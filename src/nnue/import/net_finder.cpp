#include "nnue/import/net_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include "base/mapped_file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "nnue/architecture_hash.h"
#include "nnue/import/part_files.h"
#include "nnue/import/wasm_memory.h"
#include "nnue/layout.h"
#include "nnue/weights.h"

namespace aleph::nnue {
namespace {

namespace fs = std::filesystem;
using Bytes = std::span<const std::byte>;

// No published network describes itself at such length; chance bytes do.
constexpr std::uint32_t kLongestDescription = 1 << 16;

// What source packages are full of and networks are never in.
constexpr std::array<std::string_view, 34> kBarrenKinds{
    ".js",  ".mjs", ".cjs", ".ts",  ".map",  ".json", ".md",  ".txt", ".html",
    ".css", ".png", ".jpg", ".gif", ".svg",  ".ico",  ".pdf", ".c",   ".h",
    ".cpp", ".py",  ".sh",  ".yml", ".pgn",  ".epd",  ".gz",  ".tgz", ".xz",
    ".bz2", ".zst", ".zip", ".pb",  ".onnx", ".rtbw", ".rtbz"};

std::uint32_t u32_at(Bytes bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;)
    value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
  return value;
}

std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string lower_case_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), to_lower);
  return extension;
}

class Finder {
 public:
  Finder(const FinderListener& listener, std::span<const Architecture> accepted)
      : listener_(listener), accepted_(accepted) {
    for (const Architecture& a : accepted) {
      versions_.insert(a.version_word);
      smallest_ = std::min<std::uintmax_t>(smallest_, smallest_file(a));
    }
  }

  Status look_at_place(const fs::path& place) {
    const int before = sightings_;
    std::error_code problem;
    const bool folder = fs::is_directory(place, problem);
    for (const fs::path& file : folder ? files_worth_reading(place) : std::vector{place}) {
      const Status looked = look_at_file(file);
      if (!looked.ok()) return looked;
    }
    if (sightings_ == before) complain(place, "there is no network in it");
    return Status::success();
  }

  Status look_into(Bytes file, const fs::path& origin) {
    const bool plain = lower_case_extension(origin) == ".nnue" ||
                       (file.size() >= 4 && versions_.contains(u32_at(file, 0)));
    if (plain) return take_plain_file(file, origin);
    if (!is_wasm(file)) return scan(file, origin);
    const auto memory = wasm_static_memory(file);
    if (!memory.ok()) return leave_out(origin, memory.error());
    return scan(memory.value().span(), origin);
  }

 private:
  void complain(const fs::path& origin, std::string_view sentence) {
    ++sightings_;
    listener_.on_problem(origin, fmt::format("{}: {}", origin.string(), sentence));
  }

  // The search goes on after a complaint.
  Status leave_out(const fs::path& origin, std::string_view sentence) {
    complain(origin, sentence);
    return Status::success();
  }

  // Sorted, so that a search always reports in the same order.
  std::vector<fs::path> files_worth_reading(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code problem;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(folder, options, problem), end;
         !problem && entry != end; entry.increment(problem))
      if (is_worth_reading(*entry)) files.push_back(entry->path());
    if (problem) complain(folder, problem.message());
    std::ranges::sort(files);
    return files;
  }

  bool is_worth_reading(const fs::directory_entry& entry) const {
    std::error_code problem;
    if (!entry.is_regular_file(problem)) return false;
    const std::string extension = lower_case_extension(entry.path());
    if (std::ranges::count(kBarrenKinds, extension) != 0) return false;
    if (extension == ".nnue" || part_number(entry.path())) return true;
    return entry.file_size(problem) >= smallest_ && !problem;
  }

  Status look_at_file(const fs::path& path) {
    if (part_number(path)) return look_at_parts(path);
    if (listener_.on_file) listener_.on_file(path);
    const Result<MappedFile> file = MappedFile::open(path);
    if (file.ok()) return look_into(file.value().bytes(), path);
    ++sightings_;
    listener_.on_problem(path, file.error());
    return Status::success();
  }

  Status look_at_parts(const fs::path& one) {
    const Result<PartFiles> parts = all_parts(one);
    if (!parts.ok()) return leave_out(one, parts.error());
    const fs::path& whole = parts.value().whole;
    if (!wholes_.insert(whole).second) return ++sightings_, Status::success();
    if (listener_.on_file) listener_.on_file(whole);
    const auto bytes = join_parts(parts.value());
    if (!bytes.ok()) return leave_out(whole, bytes.error());
    return look_into(bytes.value(), whole);
  }

  Status take_plain_file(Bytes file, const fs::path& origin) {
    const std::string sha256 = sha256_hex(file);
    const std::string name = origin.filename().string();
    if (!sha256.starts_with(promised_hash(name)))
      return leave_out(origin,
                       "the content is not what the name promises: its SHA-256 begins with " +
                           sha256.substr(0, 12));
    return take(file, sha256, origin);
  }

  // Networks anywhere in memory: each begins with a version word and known hashes.
  Status scan(Bytes memory, const fs::path& origin) {
    for (std::size_t at = 0; at < memory.size();) {
      const auto header = next_header(memory, at);
      if (!header) break;
      const Bytes rest = memory.subspan(*header);
      const Result<Layout> layout = find_layout(rest, accepted_);
      at = *header + (layout.ok() ? layout.value().length : 4);
      const Status taken =
          layout.ok() ? take(rest.first(layout.value().length), {}, origin)
                      : leave_out(origin, fmt::format("there is a network at byte {}, but {}",
                                                      *header, layout.error()));
      if (!taken.ok()) return taken;
    }
    return Status::success();
  }

  std::optional<std::size_t> next_header(Bytes memory, std::size_t from) const {
    std::size_t best = memory.size();
    for (const std::uint32_t version : versions_) {
      std::array<char, 4> word{};
      for (int i = 0; i < 4; ++i) word[i] = static_cast<char>(version >> (8 * i) & 0xFF);
      const std::string_view text = as_text(memory.first(best)), needle(word.data(), word.size());
      for (std::size_t at = text.find(needle, from); at != text.npos;
           at = text.find(needle, at + 1)) {
        if (!is_header(memory.subspan(at))) continue;
        best = at;
        break;
      }
    }
    if (best == memory.size()) return std::nullopt;
    return best;
  }

  bool is_header(Bytes bytes) const {
    if (bytes.size() < 16) return false;
    const std::uint32_t description = u32_at(bytes, 8);
    if (description > kLongestDescription || bytes.size() - 16 < description) return false;
    return std::ranges::any_of(accepted_, [&](const Architecture& a) {
      return u32_at(bytes, 0) == a.version_word && u32_at(bytes, 4) == file_hash(a) &&
             u32_at(bytes, 12 + description) == a.feature_transformer_hash;
    });
  }

  Status take(Bytes bytes, std::string sha256, const fs::path& origin) {
    if (sha256.empty()) sha256 = sha256_hex(bytes);
    if (seen_.contains(sha256)) return ++sightings_, Status::success();
    const auto network = read_network(bytes, accepted_);
    if (!network.ok()) return leave_out(origin, network.error());
    ++sightings_;
    seen_.insert(sha256);
    return listener_.on_network({network.value().architecture, sha256, origin.string(), bytes});
  }

  const FinderListener& listener_;
  std::span<const Architecture> accepted_;
  std::set<std::uint32_t> versions_;
  std::uintmax_t smallest_ = std::numeric_limits<std::uintmax_t>::max();
  std::set<std::string> seen_;  // SHA-256 of the networks reported
  std::set<fs::path> wholes_;   // files in parts that were read already
  int sightings_ = 0;           // networks and problems met, also those met before
};

}  // namespace

Status find_networks(std::span<const fs::path> places, const FinderListener& listener,
                     std::span<const Architecture> accepted) {
  Finder finder(listener, accepted);
  for (const fs::path& place : places) {
    const Status looked = finder.look_at_place(place);
    if (!looked.ok()) return looked;
  }
  return Status::success();
}

Status find_networks_in(Bytes file, const fs::path& origin, const FinderListener& listener,
                        std::span<const Architecture> accepted) {
  return Finder(listener, accepted).look_into(file, origin);
}

}  // namespace aleph::nnue
