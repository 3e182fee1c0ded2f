#include "nnue/import/part_files.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/mapped_file.h"
#include "base/text.h"

namespace aleph::nnue {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "-part-";
constexpr std::uintmax_t kLargest = std::uintmax_t{1} << 30;
constexpr int kMostParts = 1000;

fs::path part_path(const fs::path& whole, int number) {
  return whole.parent_path() /
         fmt::format("{}{}{}{}", whole.stem().string(), kMark, number, whole.extension().string());
}

}  // namespace

std::optional<int> part_number(const fs::path& path) {
  const std::string stem = path.stem().string();
  const std::size_t mark = stem.rfind(kMark);
  if (mark == std::string::npos) return std::nullopt;
  const auto number = parse_integer<int>(std::string_view(stem).substr(mark + kMark.size()));
  if (!number || *number < 0 || *number >= kMostParts) return std::nullopt;
  return number;
}

Result<PartFiles> all_parts(const fs::path& one) {
  const std::string stem = one.stem().string();
  const int own_number = part_number(one).value_or(0);
  PartFiles files;
  files.whole = one.parent_path() / (stem.substr(0, stem.rfind(kMark)) + one.extension().string());
  std::error_code problem;
  int number = fs::exists(part_path(files.whole, 0), problem) ? 0 : 1;
  for (; number < kMostParts; ++number) {
    const fs::path part = part_path(files.whole, number);
    if (!fs::exists(part, problem)) break;
    files.parts.push_back(part);
  }
  if (number <= own_number) return Error{fmt::format("part {} is missing", number)};
  return files;
}

Result<std::vector<std::byte>> join_parts(const PartFiles& files) {
  std::vector<std::byte> whole;
  for (const fs::path& path : files.parts) {
    const Result<MappedFile> part = MappedFile::open(path);
    if (!part.ok()) return Error{part.error()};
    const auto bytes = part.value().bytes();
    if (whole.size() + bytes.size() > kLargest)
      return Error{"together its parts are larger than 1 GiB"};
    whole.insert(whole.end(), bytes.begin(), bytes.end());
  }
  return whole;
}

}  // namespace aleph::nnue
