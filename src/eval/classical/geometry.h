// Parts of the board that the classical terms speak of: flanks, spans in front of a pawn,
// distances.
#pragma once

#include <algorithm>
#include <bit>

#include "chess/attacks.h"
#include "chess/bitboard.h"
#include "chess/color.h"
#include "chess/position.h"

namespace aleph::eval::classical {

using chess::Bitboard;
using chess::Color;
using chess::PieceType;
using chess::Position;
using chess::Square;

constexpr Bitboard files(int first, int last) {
  Bitboard set;
  for (int file = first; file <= last; ++file) set |= Bitboard::file(file);
  return set;
}
constexpr Bitboard ranks(int first, int last) {
  Bitboard set;
  for (int rank = first; rank <= last; ++rank) set |= Bitboard::rank(rank);
  return set;
}
// Ranks counted from this side of the board.
constexpr Bitboard relative_ranks(Color color, int first, int last) {
  return color == Color::White ? ranks(first, last) : ranks(7 - last, 7 - first);
}

inline constexpr Bitboard kQueenSide = files(0, 3), kKingSide = files(4, 7);
inline constexpr Bitboard kCentralFiles = files(2, 5);
inline constexpr Bitboard kCentre = files(3, 4) & ranks(3, 4);
inline constexpr Bitboard kRookFiles = Bitboard::file(0) | Bitboard::file(7);

constexpr Bitboard half_of(Square square) { return square.file() < 4 ? kQueenSide : kKingSide; }
constexpr Bitboard file_of(Square square) { return Bitboard::file(square.file()); }
constexpr Bitboard neighbour_files(Square square) {
  return chess::east(file_of(square)) | chess::west(file_of(square));
}
constexpr Bitboard shade_of(Square square) {
  return chess::kLightSquares.has(square) ? chess::kLightSquares : chess::kDarkSquares;
}

// The files around a king on this file, where attacks concern it.
constexpr Bitboard flank_of(Square king) {
  switch (king.file()) {
    case 0: return files(0, 2);
    case 1:
    case 2: return kQueenSide;
    case 3:
    case 4: return kCentralFiles;
    case 7: return files(5, 7);
    default: return kKingSide;
  }
}

constexpr Bitboard backward(Bitboard set, Color color) { return chess::forward(set, ~color); }

// All squares on the ranks in front of this one, on its file, on the files beside it, on all three.
constexpr Bitboard ranks_ahead(Color color, Square square) {
  return color == Color::White ? ranks(square.rank() + 1, 7) : ranks(0, square.rank() - 1);
}
constexpr Bitboard file_ahead(Color color, Square square) {
  return ranks_ahead(color, square) & file_of(square);
}
constexpr Bitboard attack_span(Color color, Square square) {
  return ranks_ahead(color, square) & neighbour_files(square);
}
constexpr Bitboard passed_span(Color color, Square square) {
  return file_ahead(color, square) | attack_span(color, square);
}

constexpr Bitboard attacked_by_two_pawns(Bitboard pawns, Color color) {
  return chess::forward(chess::east(pawns) & chess::west(pawns), color);
}

// The most advanced square of a set on one file, which must not be empty.
constexpr Square foremost(Color color, Bitboard set) {
  return color == Color::White ? Square::from_index(63 - std::countl_zero(set.bits()))
                               : set.first();
}

constexpr int apart(int a, int b) { return a < b ? b - a : a - b; }
constexpr int file_distance(Square a, Square b) { return apart(a.file(), b.file()); }
constexpr int rank_distance(Square a, Square b) { return apart(a.rank(), b.rank()); }
// Steps of a king.
constexpr int distance(Square a, Square b) {
  return std::max(file_distance(a, b), rank_distance(a, b));
}
// Of a file or rank: 0 at the edge, 3 in the middle.
constexpr int edge_distance(int line) { return std::min(line, 7 - line); }
constexpr bool same_shade(Square a, Square b) { return shade_of(a).has(b); }

// Pieces of either side that alone stand between a slider of this set and the square.
inline Bitboard blockers_before(const Position& position, Square square, Bitboard sliders) {
  const Bitboard nothing;
  const Bitboard snipers =
      sliders & ((chess::rook_attacks(square, nothing) & position.board().straight_sliders()) |
                 (chess::bishop_attacks(square, nothing) & position.board().diagonal_sliders()));
  // Snipers behind each other do not count as blockers.
  const Bitboard others = position.occupied() & ~snipers;
  Bitboard blockers;
  for (const Square sniper : snipers) {
    const Bitboard between = chess::between(square, sniper) & others;
    if (!between.several()) blockers |= between;
  }
  return blockers;
}

inline bool is_half_open(const Position& position, Color color, Square square) {
  return (position.pieces(color, PieceType::Pawn) & file_of(square)).empty();
}

}  // namespace aleph::eval::classical
