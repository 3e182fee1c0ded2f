// What sides and pieces are called in messages, and the letters that notation gives them.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "chess/piece.h"

namespace aleph::chess {

constexpr std::string_view name_of(Color color) {
  return color == Color::White ? "White" : "Black";
}

constexpr std::string_view name_of(PieceType type) {
  constexpr std::array<std::string_view, kPieceTypes> kNames{"pawn", "knight", "bishop",
                                                             "rook", "queen",  "king"};
  return kNames[index(type)];
}

constexpr char letter_of(PieceType type) { return "PNBRQK"[index(type)]; }
constexpr char lower_letter_of(PieceType type) { return "pnbrqk"[index(type)]; }

namespace detail {

// By character, so that reading a letter is one load and no jump: databases are full of them.
inline constexpr auto kTypeOfLetter = [] {
  std::array<std::optional<PieceType>, 128> table{};
  for (const PieceType type : kAllPieceTypes)
    table[static_cast<std::size_t>(letter_of(type))] = type;
  return table;
}();

}  // namespace detail

// Capital letters only.
constexpr std::optional<PieceType> piece_type_of(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte < 128 ? detail::kTypeOfLetter[byte] : std::nullopt;
}

// What a pawn may become, by a letter of either case.
constexpr std::optional<PieceType> promotion_of(char letter) {
  switch (letter) {
    case 'n':
    case 'N': return PieceType::Knight;
    case 'b':
    case 'B': return PieceType::Bishop;
    case 'r':
    case 'R': return PieceType::Rook;
    case 'q':
    case 'Q': return PieceType::Queen;
    default: return std::nullopt;
  }
}

}  // namespace aleph::chess
