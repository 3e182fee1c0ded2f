#include "data/pgn_index_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "base/mapped_file.h"
#include "base/text.h"
#include "base/write_file.h"

namespace aleph::data {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kFormat = "aleph-pgn-index";
constexpr std::uint64_t kVersion = 1;
constexpr std::array kCompressions{Compression::None, Compression::Zstd, Compression::Bzip2,
                                   Compression::Gzip};

// Takes fields out of an object and keeps the first thing that is wrong with them, so that all can
// be asked for before looking whether they were there.
class Fields {
 public:
  Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {}

  std::uint64_t number(const char* name) {
    const auto field = object_.find(name);
    if (field != object_.end() && field->is_number_unsigned()) return field->get<std::uint64_t>();
    refuse(name, "is missing or is not a whole number");
    return 0;
  }

  std::string text(const char* name) {
    const auto field = object_.find(name);
    if (field != object_.end() && field->is_string()) return field->get<std::string>();
    refuse(name, "is missing or is not a text");
    return "";
  }

  std::optional<std::string> text_or_null(const char* name) {
    const auto field = object_.find(name);
    if (field != object_.end() && field->is_null()) return std::nullopt;
    return text(name);
  }

  void refuse(std::string_view name, std::string_view reason) {
    if (problem_.empty()) problem_ = fmt::format("{}\"{}\" {}", where_, name, reason);
  }
  // Empty if there is none.
  const std::string& problem() const { return problem_; }

 private:
  const Json& object_;
  std::string where_;
  std::string problem_;
};

std::optional<Compression> compression_of(std::string_view name) {
  for (const Compression compression : kCompressions)
    if (name_of(compression) == name) return compression;
  return std::nullopt;
}

bool is_sha256(std::string_view text) {
  const auto is_hex = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); };
  return text.size() == 64 && std::ranges::all_of(text, is_hex);
}

// Everything but the checkpoints. The answer is what is wrong, or nothing.
std::string read_head(const Json& json, PgnIndex& index) {
  Fields fields(json, "");
  if (!json.is_object() || fields.text("format") != kFormat)
    return "it is not the index of a PGN file";
  if (const std::uint64_t version = fields.number("version");
      fields.problem().empty() && version != kVersion)
    return fmt::format("version {} of the index is not supported", version);

  const auto compression = compression_of(fields.text("compression"));
  if (!compression) fields.refuse("compression", "is not one of plain, zstd, bzip2, gzip");
  index.compression = compression.value_or(Compression::None);
  index.fingerprint.file_bytes = fields.number("file_bytes");
  index.fingerprint.sha256 = fields.text("sha256");
  if (!is_sha256(index.fingerprint.sha256)) fields.refuse("sha256", "is not 64 hexadecimal digits");
  index.games = fields.number("games");
  index.bytes = fields.number("bytes");
  index.every = fields.number("every");
  index.problem = fields.text_or_null("problem");

  if (index.every == 0) fields.refuse("every", "is 0");
  if (index.games > index.bytes) fields.refuse("games", "is more than there are bytes");
  if (index.compression == Compression::None && index.bytes > index.fingerprint.file_bytes)
    fields.refuse("bytes", "is more than the file has");
  return fields.problem();
}

// What about a checkpoint contradicts the rest of the index, or the checkpoint before it (null for
// the first one).
void check(const Checkpoint& checkpoint, const Checkpoint* previous, const PgnIndex& index,
           Fields& fields) {
  const std::uint64_t expected_game = previous == nullptr ? 1 : previous->game + index.every;
  if (checkpoint.game != expected_game)
    fields.refuse("game", fmt::format("should be {}", expected_game));
  if (checkpoint.offset >= index.bytes) fields.refuse("offset", "is behind the end of the games");
  // A line takes at least one byte, its end.
  if (checkpoint.line == 0 || checkpoint.line - 1 > checkpoint.offset)
    fields.refuse("line", "does not fit the offset");
  if (checkpoint.frame.stream_offset > checkpoint.offset)
    fields.refuse("frame_offset", "is behind the game");
  if (index.compression == Compression::Zstd &&
      checkpoint.frame.file_offset >= index.fingerprint.file_bytes)
    fields.refuse("frame_file_offset", "is behind the end of the file");

  if (previous == nullptr) return;
  if (checkpoint.offset <= previous->offset) fields.refuse("offset", "does not grow");
  if (checkpoint.line <= previous->line) fields.refuse("line", "does not grow");
  if (checkpoint.frame.stream_offset < previous->frame.stream_offset)
    fields.refuse("frame_offset", "goes back");
  if (checkpoint.frame.file_offset < previous->frame.file_offset)
    fields.refuse("frame_file_offset", "goes back");
}

std::string read_checkpoints(const Json& json, PgnIndex& index) {
  const auto list = json.find("checkpoints");
  if (list == json.end() || !list->is_array()) return "\"checkpoints\" is missing or is not a list";
  const std::uint64_t expected = index.games / index.every + (index.games % index.every != 0);
  if (list->size() != expected)
    return fmt::format("{} checkpoints are expected, and {} are there", expected, list->size());
  for (const Json& entry : *list) {
    Fields fields(entry, fmt::format("checkpoint {}: ", index.checkpoints.size() + 1));
    Checkpoint checkpoint;
    checkpoint.game = fields.number("game");
    checkpoint.offset = fields.number("offset");
    checkpoint.line = fields.number("line");
    if (index.compression == Compression::Zstd) {
      checkpoint.frame.file_offset = fields.number("frame_file_offset");
      checkpoint.frame.stream_offset = fields.number("frame_offset");
    }
    check(checkpoint, index.checkpoints.empty() ? nullptr : &index.checkpoints.back(), index,
          fields);
    if (!fields.problem().empty()) return fields.problem();
    index.checkpoints.push_back(checkpoint);
  }
  return "";
}

}  // namespace

std::filesystem::path index_path_of(const std::string& file) { return file + ".idx.json"; }

std::string to_json(const PgnIndex& index) {
  nlohmann::ordered_json json;  // in the order of the description
  json["format"] = std::string(kFormat);
  json["version"] = kVersion;
  json["compression"] = std::string(name_of(index.compression));
  json["file_bytes"] = index.fingerprint.file_bytes;
  json["sha256"] = index.fingerprint.sha256;
  json["games"] = index.games;
  json["bytes"] = index.bytes;
  json["every"] = index.every;
  json["problem"] = nullptr;
  if (index.problem) json["problem"] = *index.problem;
  json["checkpoints"] = nlohmann::ordered_json::array();
  for (const Checkpoint& checkpoint : index.checkpoints) {
    nlohmann::ordered_json entry;
    entry["game"] = checkpoint.game;
    entry["offset"] = checkpoint.offset;
    entry["line"] = checkpoint.line;
    if (index.compression == Compression::Zstd) {
      entry["frame_file_offset"] = checkpoint.frame.file_offset;
      entry["frame_offset"] = checkpoint.frame.stream_offset;
    }
    json["checkpoints"].push_back(std::move(entry));
  }
  // The problem names the file, and names of files may be any bytes; JSON is UTF-8.
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

Result<PgnIndex> parse_pgn_index(std::string_view text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  PgnIndex index;
  std::string problem = json.is_discarded() ? "it is not JSON, or cut short" : "";
  if (problem.empty()) problem = read_head(json, index);
  if (problem.empty()) problem = read_checkpoints(json, index);
  if (!problem.empty()) return Error{fmt::format("{}: {}", name, problem)};
  return index;
}

Status write_pgn_index(const std::filesystem::path& path, const PgnIndex& index) {
  const std::string text = to_json(index);
  return write_file(path, std::as_bytes(std::span(text)));
}

Result<PgnIndex> read_pgn_index(const std::filesystem::path& path) {
  const Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok()) return Error{file.error()};
  return parse_pgn_index(file.value().text(), path.string());
}

}  // namespace aleph::data
