#include "data/dataset/dataset_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>

#include "base/mapped_file.h"
#include "base/pending_file.h"
#include "base/sha256.h"
#include "base/write_file.h"
#include "data/byte_stream.h"

namespace aleph::data {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr int kFormat = 1;
constexpr std::size_t kFingerprintBytes = std::size_t{64} << 10;
constexpr const char* kDescription = "dataset.json";
constexpr const char* kRecords = "segments";

Json to_json(const BuildCounts& c) {
  return {{"games", c.games},
          {"bad_games", c.bad_games},
          {"wrong_pace", c.wrong_pace},
          {"rows", c.rows},
          {"skipped_plies", c.skipped_plies},
          {"wrong_rating", c.wrong_rating},
          {"low_clock", c.low_clock},
          {"no_data", c.no_data},
          {"duplicates", c.duplicates}};
}
BuildCounts counts_from(const Json& json) {
  const auto number = [&](const char* name) { return json.at(name).get<std::uint64_t>(); };
  return {number("games"),     number("bad_games"),     number("wrong_pace"),
          number("rows"),      number("skipped_plies"), number("wrong_rating"),
          number("low_clock"), number("no_data"),       number("duplicates")};
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json to_json(const BuildSettings& s) {
  Json paces = Json::array(), splits = Json::array();
  for (const Pace pace : s.filter.paces) paces.push_back(to_text(pace));
  for (const Split& split : s.splits)
    splits.push_back({{"name", split.name}, {"share", split.share}});
  return {{"schema", to_text(s.schema)},
          {"normalization", s.normalization == nets::Normalization::Flip ? "flip" : "rotate"},
          {"min_elo", or_null(s.filter.least_rating)},
          {"max_elo", or_null(s.filter.most_rating)},
          {"min_clock", or_null(s.filter.least_clock)},
          {"skip_plies", s.filter.skipped_plies},
          {"time_control", paces},
          {"splits", splits},
          {"masks", s.store_masks},
          {"dedupe", s.dedupe},
          {"seed", s.seed},
          {"segment_bytes", s.segment_bytes}};
}

// Enough of a file to notice that it is another one.
Result<Json> describe_source(const std::string& name) {
  const auto file = MappedFile::open(name);
  if (!file.ok()) return Error{file.error()};
  const std::span<const std::byte> bytes = file.value().bytes();
  const std::size_t part = std::min(kFingerprintBytes, bytes.size());
  Sha256 sum;
  sum.update(bytes.first(part));
  sum.update(bytes.last(part));
  return Json{{"file", fs::path(name).filename().string()},
              {"bytes", bytes.size()},
              {"fingerprint", to_hex(sum.finish())}};
}

// File names may hold bytes that JSON cannot: they are shown as something else.
std::string to_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Status write_json(const fs::path& path, const Json& json, Flush flush) {
  const std::string text = to_text(json, 2) + "\n";
  return write_file(path, std::as_bytes(std::span(text)), flush);
}

// 0 if there is none.
std::uint64_t size_of(const fs::path& file) {
  std::error_code problem;
  const std::uintmax_t size = fs::file_size(file, problem);
  return problem ? 0 : size;
}

// Throws what the library throws if the text is not as we write it.
SegmentRecord record_from(const std::string& text) {
  const Json json = Json::parse(text);
  SegmentRecord record{counts_from(json.at("counts")), json.at("rows"), json.at("problems"),
                       json.at("bytes")};
  return record;
}

}  // namespace

std::string SegmentId::text() const { return fmt::format("{:03}-{:05}", file, number); }

Result<DatasetFolder> DatasetFolder::open(const fs::path& path, const BuildSettings& settings) {
  DatasetFolder folder(path, settings);
  Json sources = Json::array();
  for (const std::string& name : settings.sources) {
    auto source = describe_source(name);
    if (!source.ok()) return Error{source.error()};
    sources.push_back(source.take());
  }
  folder.sources_ = to_text(sources);
  sources = Json::parse(folder.sources_);  // as it will be read again
  const fs::path description = path / kDescription;
  if (!fs::exists(description)) {
    std::error_code problem;
    fs::create_directories(path / kRecords, problem);
    if (problem) return Error{fmt::format("cannot make {}: {}", path.string(), problem.message())};
    if (const Status status = folder.write_description(false); !status.ok())
      return Error{status.error()};
    return folder;
  }
  const auto text = read_text(description.string());
  if (!text.ok()) return Error{text.error()};
  try {
    const Json found = Json::parse(text.value());
    if (found.at("settings") != to_json(settings))
      return Error{path.string() + " holds a dataset that was made with other settings"};
    if (found.at("sources") != sources)
      return Error{path.string() + " holds a dataset that was made from other files"};
    folder.complete_ = found.at("complete").get<bool>();
    if (folder.complete_) {
      SegmentRecord& whole = folder.done_[SegmentId{}];
      whole.counts = counts_from(found.at("counts"));
      for (const Json& split : found.at("splits")) whole.rows.push_back(split.at("rows"));
      whole.problems = found.at("problems").get<std::vector<std::string>>();
      folder.tidy();
      return folder;
    }
  } catch (const Json::exception&) {
    return Error{description.string() + " is not a description of a dataset"};
  }
  if (const Status status = folder.read_records(); !status.ok()) return Error{status.error()};
  return folder;
}

// A record that cannot be read is as good as none: its segment is done again.
Status DatasetFolder::read_records() {
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(path_ / kRecords, problem)) {
    SegmentId id;
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != ".json" ||
        std::sscanf(stem.c_str(), "%zu-%zu", &id.file, &id.number) != 2 || id.text() != stem)
      continue;
    const auto text = read_text(entry.path().string());
    if (!text.ok()) continue;
    try {
      SegmentRecord record = record_from(text.value());
      if (has_shards(id, record)) done_[id] = std::move(record);
    } catch (const Json::exception&) {
      done_.erase(id);
    }
  }
  if (problem) return Error{fmt::format("cannot list {}: {}", path_.string(), problem.message())};
  return Status::success();
}

bool DatasetFolder::has_shards(const SegmentId& id, const SegmentRecord& record) const {
  const std::size_t splits = settings_.splits.size();
  if (record.rows.size() != splits || record.bytes.size() != splits) return false;
  for (std::size_t i = 0; i < splits; ++i)
    if (record.rows[i] > 0 && size_of(shard(i, id)) != record.bytes[i]) return false;
  return true;
}

const SegmentRecord* DatasetFolder::find(const SegmentId& id) const {
  const auto found = done_.find(id);
  return found == done_.end() ? nullptr : &found->second;
}

fs::path DatasetFolder::shard(std::size_t split, const SegmentId& id) const {
  return path_ / fmt::format("{}-{}.parquet", settings_.splits[split].name, id.text());
}

Status DatasetFolder::finish(const SegmentId& id, SegmentRecord record) {
  record.bytes.clear();
  for (std::size_t i = 0; i < record.rows.size(); ++i)
    record.bytes.push_back(record.rows[i] > 0 ? size_of(shard(i, id)) : 0);
  const Json json{{"counts", to_json(record.counts)},
                  {"rows", record.rows},
                  {"bytes", record.bytes},
                  {"problems", record.problems}};
  const Status status = write_json(path_ / kRecords / (id.text() + ".json"), json, Flush::BySystem);
  if (status.ok()) done_[id] = std::move(record);
  return status;
}

BuildCounts DatasetFolder::counts() const {
  BuildCounts sum;
  for (const auto& [id, record] : done_) sum += record.counts;
  return sum;
}

std::vector<std::string> DatasetFolder::problems() const {
  std::vector<std::string> all;
  for (const auto& [id, record] : done_)
    all.insert(all.end(), record.problems.begin(), record.problems.end());
  return all;
}

std::uint64_t DatasetFolder::rows(std::size_t split) const {
  std::uint64_t sum = 0;
  for (const auto& [id, record] : done_) sum += record.rows[split];
  return sum;
}

Status DatasetFolder::write_description(bool complete) const {
  Json splits = Json::array();
  for (std::size_t i = 0; complete && i < settings_.splits.size(); ++i) {
    Json shards = Json::array();
    for (const auto& [id, record] : done_)
      if (record.rows[i] > 0)
        shards.push_back({{"file", shard(i, id).filename().string()},
                          {"rows", record.rows[i]},
                          {"bytes", record.bytes[i]}});
    splits.push_back({{"name", settings_.splits[i].name}, {"rows", rows(i)}, {"shards", shards}});
  }
  return write_json(path_ / kDescription,
                    {{"format", kFormat},
                     {"complete", complete},
                     {"settings", to_json(settings_)},
                     {"sources", Json::parse(sources_)},
                     {"counts", to_json(counts())},
                     {"splits", splits},
                     {"problems", problems()}},
                    Flush::Now);
}

Status DatasetFolder::complete() {
  if (Status status = write_description(true); !status.ok()) return status;
  complete_ = true;
  tidy();
  return Status::success();
}

// All segments are done: records and half-written files of earlier runs are of no use.
void DatasetFolder::tidy() const {
  std::error_code ignored;  // left over, they harm nobody
  fs::remove_all(path_ / kRecords, ignored);
  remove_leftovers(path_, {".json", ".parquet"});
}

}  // namespace aleph::data
