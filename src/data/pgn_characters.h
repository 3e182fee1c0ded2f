#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/text.h"

// The letters of PGN: what a character in the moves can be the beginning or a part of.
namespace aleph::data {

enum class CharClass : std::uint8_t { Other, Space, Letter, Digit };

inline constexpr std::array<CharClass, 256> kCharClasses = [] {
  std::array<CharClass, 256> classes{};
  for (unsigned c = 0; c < 256; ++c) {
    if (is_space(static_cast<char>(c))) classes[c] = CharClass::Space;
    if ((c | 32) >= 'a' && (c | 32) <= 'z' && c < 128) classes[c] = CharClass::Letter;
    if (c >= '0' && c <= '9') classes[c] = CharClass::Digit;
  }
  classes[0x1A] = CharClass::Space;  // the end of a DOS file
  return classes;
}();

inline constexpr std::array<bool, 256> kCharsInMoves = [] {
  std::array<bool, 256> in_moves{};
  for (unsigned c = 0; c < 256; ++c)
    in_moves[c] = kCharClasses[c] == CharClass::Letter || kCharClasses[c] == CharClass::Digit;
  for (const unsigned char c : std::string_view("+#=-:/_@")) in_moves[c] = true;
  return in_moves;
}();

constexpr CharClass class_of(char c) { return kCharClasses[static_cast<unsigned char>(c)]; }
// Whether a move, once it has begun, goes on with this character.
constexpr bool in_move(char c) { return kCharsInMoves[static_cast<unsigned char>(c)]; }

// Marks with a meaning that a number has too (numeric annotation glyphs).
struct Glyph {
  std::string_view text;
  int nag;
};
// Longer ones first where one begins another.
inline constexpr std::array kGlyphs{
    Glyph{"+/=", 14}, Glyph{"=/+", 15}, Glyph{"+/-", 16}, Glyph{"-/+", 17}, Glyph{"!!", 3},
    Glyph{"??", 4},   Glyph{"!?", 5},   Glyph{"?!", 6},   Glyph{"+=", 14},  Glyph{"=+", 15},
    Glyph{"+-", 18},  Glyph{"-+", 19},  Glyph{"!", 1},    Glyph{"?", 2},    Glyph{"=", 10}};

}  // namespace aleph::data
