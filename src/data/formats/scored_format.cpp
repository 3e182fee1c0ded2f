#include "data/formats/scored_format.h"

#include <utility>

#include "base/text.h"

namespace aleph::data {
namespace {

using namespace std::string_view_literals;

constexpr std::array kArchiveEndings{".zst"sv, ".gz"sv, ".bz2"sv};

constexpr std::array kEndings{
    std::pair{".plain"sv, ScoredFormat::Plain},
    std::pair{".txt"sv, ScoredFormat::Plain},
    std::pair{".binpack"sv, ScoredFormat::Binpack},
    std::pair{".bullet"sv, ScoredFormat::Bulletformat},
    std::pair{".bulletformat"sv, ScoredFormat::Bulletformat},
};

}  // namespace

std::string_view name_of(ScoredFormat format) {
  constexpr std::array kNames{"bulletformat"sv, "plain"sv, "binpack"sv};
  return kNames[static_cast<std::size_t>(format)];
}

std::optional<ScoredFormat> parse_scored_format(std::string_view name) {
  for (const ScoredFormat format : kScoredFormats)
    if (name_of(format) == name) return format;
  return std::nullopt;
}

bool is_called_archive(std::string_view file_name) {
  for (const std::string_view ending : kArchiveEndings)
    if (file_name.ends_with(ending)) return true;
  return false;
}

std::optional<ScoredFormat> format_by_name(std::string_view file_name) {
  if (is_called_archive(file_name)) file_name = file_name.substr(0, file_name.rfind('.'));
  for (const auto& [ending, format] : kEndings)
    if (file_name.ends_with(ending)) return format;
  return std::nullopt;
}

std::optional<ScoredFormat> format_by_content(std::string_view first_bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (first_bytes.starts_with("BINP")) return ScoredFormat::Binpack;
  if (first_bytes.starts_with(kByteOrderMark)) first_bytes.remove_prefix(kByteOrderMark.size());
  if (next_word(first_bytes) == "fen") return ScoredFormat::Plain;
  return std::nullopt;
}

}  // namespace aleph::data
