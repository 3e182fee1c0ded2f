#include "train/checkpoint_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/little_endian.h"
#include "base/mapped_file.h"
#include "base/pending_file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/write_file.h"

namespace aleph::train {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view kMagic = "ALEPHCKP";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kFixedHead = 24;  // magic, version, a zero, the length of the JSON
constexpr std::size_t kDigest = 32;
constexpr std::string_view kPrefix = "step-", kExtension = ".aleph";

void append(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

Sha256::Digest digest_of(std::span<const std::byte> bytes) {
  Sha256 sum;
  sum.update(bytes);
  return sum.finish();
}

struct Part {
  std::string name;
  bool is_text = false;
  std::span<const std::byte> bytes;
};

// The parts that the head names, within what comes behind it.
Result<std::vector<Part>> read_parts(std::string_view head, std::span<const std::byte> content) {
  std::vector<Part> parts;
  try {
    const Json json = Json::parse(head);
    for (const Json& entry : json.at("parts")) {
      const auto size = entry.at("size").get<std::uint64_t>();
      const std::string kind = entry.at("kind");
      if (size > content.size() || (kind != "text" && kind != "bytes"))
        return Error{"its head names parts that are not there"};
      parts.push_back({entry.at("name"), kind == "text", content.first(size)});
      content = content.subspan(size);
    }
  } catch (const Json::exception&) {
    return Error{"its head is not what it should be"};
  }
  if (!content.empty()) return Error{"there is more in it than its head says"};
  return parts;
}

// Everything between the magic and the digest, which have been looked at.
Result<std::vector<Part>> read_body(std::span<const std::byte> file) {
  if (load_little_endian<std::uint32_t>(file.data() + kMagic.size()) != kVersion)
    return Error{"its version is not known to this program"};
  const auto length = load_little_endian<std::uint64_t>(file.data() + 16);
  const auto body = file.first(file.size() - kDigest).subspan(kFixedHead);
  if (length > body.size()) return Error{"its head is longer than the file"};
  const auto head = body.first(static_cast<std::size_t>(length));
  return read_parts({reinterpret_cast<const char*>(head.data()), head.size()},
                    body.subspan(head.size()));
}

// The step in the name of a checkpoint; nothing for other files.
std::optional<std::uint64_t> step_of(const fs::path& file) {
  const std::string name = file.filename().string();
  if (!name.starts_with(kPrefix) || !name.ends_with(kExtension)) return std::nullopt;
  const auto digits = std::string_view(name).substr(
      kPrefix.size(), name.size() - kPrefix.size() - kExtension.size());
  return parse_integer<std::uint64_t>(digits);
}

// The newest first.
std::vector<std::pair<std::uint64_t, fs::path>> checkpoints_of(const fs::path& run) {
  std::vector<std::pair<std::uint64_t, fs::path>> found;
  std::error_code ignored;  // no folder: no checkpoints
  for (const auto& entry : fs::directory_iterator(run / "checkpoints", ignored))
    if (const auto step = step_of(entry.path())) found.emplace_back(*step, entry.path());
  std::ranges::sort(found, std::greater<>());
  return found;
}

}  // namespace

void CheckpointFile::set_text(const std::string& name, std::string text) {
  texts_[name] = std::move(text);
}

void CheckpointFile::set_bytes(const std::string& name, std::span<const std::byte> bytes) {
  parts_[name].assign(bytes.begin(), bytes.end());
}

void CheckpointFile::set_floats(const std::string& name, std::span<const float> numbers) {
  set_bytes(name, std::as_bytes(numbers));
}

const std::string* CheckpointFile::text(const std::string& name) const {
  const auto found = texts_.find(name);
  return found == texts_.end() ? nullptr : &found->second;
}

std::span<const std::byte> CheckpointFile::bytes(const std::string& name) const {
  const auto found = parts_.find(name);
  return found == parts_.end() ? std::span<const std::byte>() : found->second;
}

std::optional<std::vector<float>> CheckpointFile::floats(const std::string& name) const {
  const auto found = parts_.find(name);
  if (found == parts_.end() || found->second.size() % sizeof(float) != 0) return std::nullopt;
  std::vector<float> numbers(found->second.size() / sizeof(float));
  if (!numbers.empty()) std::memcpy(numbers.data(), found->second.data(), found->second.size());
  return numbers;
}

std::vector<std::byte> CheckpointFile::file_bytes() const {
  Json list = Json::array();
  std::size_t content = 0;
  for (const auto& [name, text] : texts_) {
    list.push_back({{"name", name}, {"kind", "text"}, {"size", text.size()}});
    content += text.size();
  }
  for (const auto& [name, part] : parts_) {
    list.push_back({{"name", name}, {"kind", "bytes"}, {"size", part.size()}});
    content += part.size();
  }
  std::string head = Json{{"parts", list}}.dump(-1, ' ', true, Json::error_handler_t::replace);
  head.resize((head.size() + 7) / 8 * 8, ' ');

  std::vector<std::byte> bytes;
  bytes.reserve(kFixedHead + head.size() + content + kDigest);
  append(bytes, bytes_of(kMagic));
  std::array<std::byte, 16> numbers{};
  store_little_endian(numbers.data(), kVersion);
  store_little_endian(numbers.data() + 8, static_cast<std::uint64_t>(head.size()));
  append(bytes, numbers);
  append(bytes, bytes_of(head));
  for (const auto& [name, text] : texts_) append(bytes, bytes_of(text));
  for (const auto& [name, part] : parts_) append(bytes, part);
  const Sha256::Digest digest = digest_of(bytes);
  append(bytes, std::as_bytes(std::span(digest)));
  return bytes;
}

Status CheckpointFile::write(const fs::path& file) const { return write_file(file, file_bytes()); }

Result<CheckpointFile> CheckpointFile::read(const fs::path& file) {
  const Result<MappedFile> mapped = MappedFile::open(file);
  if (!mapped.ok()) return Error{mapped.error()};
  auto checkpoint = parse(mapped.value().bytes());
  if (!checkpoint.ok()) return Error{fmt::format("{}: {}", file.string(), checkpoint.error())};
  return checkpoint;
}

Result<CheckpointFile> CheckpointFile::parse(std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with(kMagic)) return Error{"this is not a checkpoint"};
  if (file.size() < kFixedHead + kDigest) return Error{"the checkpoint is cut short"};
  const Sha256::Digest digest = digest_of(file.first(file.size() - kDigest));
  if (std::memcmp(digest.data(), file.data() + file.size() - kDigest, kDigest) != 0)
    return Error{"the checkpoint is cut short or damaged: its checksum is another one"};
  const auto parts = read_body(file);
  if (!parts.ok()) return Error{parts.error()};
  CheckpointFile checkpoint;
  for (const Part& part : parts.value()) {
    if (part.is_text)
      checkpoint.texts_[part.name].assign(reinterpret_cast<const char*>(part.bytes.data()),
                                          part.bytes.size());
    else
      checkpoint.set_bytes(part.name, part.bytes);
  }
  return checkpoint;
}

fs::path checkpoint_name(const fs::path& run, std::uint64_t step) {
  return run / "checkpoints" / fmt::format("{}{:08}{}", kPrefix, step, kExtension);
}

std::vector<fs::path> checkpoint_files(const fs::path& run) {
  std::vector<fs::path> files;
  for (auto& [step, file] : checkpoints_of(run)) files.push_back(std::move(file));
  return files;
}

std::optional<std::pair<fs::path, CheckpointFile>> newest_checkpoint(const fs::path& run) {
  for (const fs::path& file : checkpoint_files(run))
    if (auto checkpoint = CheckpointFile::read(file); checkpoint.ok())
      return std::pair(file, checkpoint.take());
  return std::nullopt;
}

void remove_old_checkpoints(const fs::path& run, std::size_t keep) {
  const std::vector<fs::path> files = checkpoint_files(run);
  std::error_code ignored;  // one that stays harms nobody
  for (std::size_t i = keep; i < files.size(); ++i) fs::remove(files[i], ignored);
  remove_leftovers(run / "checkpoints", {kExtension});
}

}  // namespace aleph::train
