#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

// The formats of scored positions, and how a file tells which one it has.
namespace aleph::data {

enum class ScoredFormat : std::uint8_t { Bulletformat, Plain, Binpack };

inline constexpr std::array kScoredFormats{ScoredFormat::Bulletformat, ScoredFormat::Plain,
                                           ScoredFormat::Binpack};

std::string_view name_of(ScoredFormat format);  // "bulletformat", "plain", "binpack"
std::optional<ScoredFormat> parse_scored_format(std::string_view name);

// Whether a file is called like an archive: ends with .zst, .gz or .bz2.
bool is_called_archive(std::string_view file_name);

// By the ending of a name, the one of an archive aside: "positions.plain.zst" is plain text.
// ".bin" says nothing: bulletformat and other records use it.
std::optional<ScoredFormat> format_by_name(std::string_view file_name);

// By the first bytes, a dozen or more of them. Records of bulletformat begin with anything.
std::optional<ScoredFormat> format_by_content(std::string_view first_bytes);

}  // namespace aleph::data
