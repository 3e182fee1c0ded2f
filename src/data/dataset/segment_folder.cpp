#include "data/dataset/segment_folder.h"

#include <fmt/format.h>

#include <cassert>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <system_error>

#include "base/pending_file.h"
#include "base/write_file.h"
#include "data/byte_stream.h"

namespace aleph::data {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr int kFormat = 1;
constexpr std::size_t kMostProblems = 1000;
constexpr const char* kDescription = "dataset.json";
constexpr const char* kRecords = "segments";
constexpr const char* kSplit = "train";

Json to_json(const SegmentSummary& summary) {
  return {{"rows", summary.rows}, {"counts", summary.counts}, {"problems", summary.problems}};
}

// Throws what the library throws if it is not as we write it.
SegmentSummary summary_from(const Json& json) {
  return {json.at("rows").get<std::uint64_t>(),
          json.at("counts").get<std::map<std::string, std::uint64_t>>(),
          json.at("problems").get<std::vector<std::string>>()};
}

Status write_json(const fs::path& path, const Json& json) {
  // Engines may call themselves anything; what is not UTF-8 is replaced.
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return write_file(path, std::as_bytes(std::span(text)));
}

// The name of a setting in which they differ.
std::string first_difference(const Json& found, const Json& wanted) {
  for (const auto& [name, value] : wanted.items())
    if (!found.contains(name) || found.at(name) != value) return name;
  return "number of settings";
}

std::optional<SegmentSummary> read_record(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::nullopt;
  const auto text = read_text(file.string());
  if (!text.ok()) return std::nullopt;
  try {
    return summary_from(Json::parse(text.value()));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

Result<SegmentFolder> SegmentFolder::open(const fs::path& path, std::string settings,
                                          std::size_t segments) {
  SegmentFolder folder(path, std::move(settings), segments);
  std::error_code problem;
  const bool is_there = fs::exists(path / kDescription, problem);
  if (is_there)
    if (const Status status = folder.read_description(); !status.ok()) return Error{status.error()};
  if (folder.complete_) {
    folder.tidy();
    return folder;
  }
  fs::create_directories(path / kRecords, problem);
  if (problem) return Error{fmt::format("cannot make {}: {}", path.string(), problem.message())};
  if (!is_there)
    if (const Status status = folder.write_description(false); !status.ok())
      return Error{status.error()};
  folder.look_for_records();
  return folder;
}

Status SegmentFolder::read_description() {
  const fs::path description = path_ / kDescription;
  const auto text = read_text(description.string());
  if (!text.ok()) return Error{text.error()};
  try {
    const Json found = Json::parse(text.value()), wanted = Json::parse(settings_);
    if (found.at("settings") != wanted)
      return Error{fmt::format("{} holds a dataset that was made with other settings: {}",
                               path_.string(), first_difference(found.at("settings"), wanted))};
    complete_ = found.at("complete").get<bool>();
    if (complete_) {
      whole_.counts = found.at("counts").get<std::map<std::string, std::uint64_t>>();
      whole_.problems = found.at("problems").get<std::vector<std::string>>();
      for (const Json& split : found.at("splits"))
        whole_.rows += split.at("rows").get<std::uint64_t>();
    }
  } catch (const Json::exception&) {
    return Error{description.string() + " is not a description of a dataset"};
  }
  return Status::success();
}

fs::path SegmentFolder::record(std::size_t segment) const {
  return path_ / kRecords / fmt::format("{:05}.json", segment);
}

fs::path SegmentFolder::shard(std::size_t segment) const {
  return path_ / fmt::format("{}-{:05}.parquet", kSplit, segment);
}

// A record that cannot be read, or has lost its shard, is as good as none.
void SegmentFolder::look_for_records() {
  for (const std::size_t segment : missing()) {
    auto summary = read_record(record(segment));
    std::error_code ignored;
    if (!summary || (summary->rows > 0 && !fs::exists(shard(segment), ignored))) continue;
    done_[segment] = std::move(*summary);
  }
}

std::vector<std::size_t> SegmentFolder::missing() const {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; !complete_ && i < segments_; ++i)
    if (!done_.contains(i)) missing.push_back(i);
  return missing;
}

Status SegmentFolder::finish(std::size_t segment, SegmentSummary summary) {
  Status status = write_json(record(segment), to_json(summary));
  if (status.ok()) done_[segment] = std::move(summary);
  return status;
}

SegmentSummary SegmentFolder::summary() const {
  if (complete_) return whole_;
  SegmentSummary sum;
  for (const auto& [segment, part] : done_) {
    sum.rows += part.rows;
    for (const auto& [name, count] : part.counts) sum.counts[name] += count;
    for (const std::string& problem : part.problems)
      if (sum.problems.size() < kMostProblems) sum.problems.push_back(problem);
  }
  return sum;
}

Status SegmentFolder::write_description(bool complete) const {
  const SegmentSummary sum = summary();
  Json splits = Json::array();
  if (complete) {
    Json shards = Json::array();
    for (const auto& [segment, part] : done_)
      if (part.rows > 0)
        shards.push_back(Json{{"file", shard(segment).filename().string()}, {"rows", part.rows}});
    splits.push_back(Json{{"name", kSplit}, {"rows", sum.rows}, {"shards", shards}});
  }
  return write_json(path_ / kDescription, Json{{"format", kFormat},
                                               {"complete", complete},
                                               {"settings", Json::parse(settings_)},
                                               {"counts", sum.counts},
                                               {"splits", splits},
                                               {"problems", sum.problems}});
}

Status SegmentFolder::complete() {
  assert(missing().empty());
  if (Status status = write_description(true); !status.ok()) return status;
  whole_ = summary();
  complete_ = true;
  tidy();
  return Status::success();
}

// All segments are done: records and half-written files of earlier runs are of no use.
void SegmentFolder::tidy() const {
  std::error_code ignored;  // left over, they harm nobody
  fs::remove_all(path_ / kRecords, ignored);
  remove_leftovers(path_, {".json", ".parquet"});
}

}  // namespace aleph::data
