// Where pieces reach. Leapers and board geometry are tables made by the compiler; sliders live in
// sliders.h because their tables are too big for that.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "chess/bitboard.h"
#include "chess/piece.h"
#include "chess/sliders.h"

namespace aleph::chess {

namespace detail {

struct Step {
  int file, rank;
};

inline constexpr std::array<Step, 8> kKnightSteps{
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};
inline constexpr std::array<Step, 8> kKingSteps{
    {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};

consteval std::array<Bitboard, 64> leaper_table(const std::array<Step, 8>& steps) {
  std::array<Bitboard, 64> table{};
  for (int from = 0; from < 64; ++from)
    for (const Step step : steps) {
      const int file = from % 8 + step.file, rank = from / 8 + step.rank;
      const bool on_board = file >= 0 && file < 8 && rank >= 0 && rank < 8;
      if (on_board) table[from] |= Square::at(file, rank);
    }
  return table;
}

using SquarePairTable = std::array<std::array<Bitboard, 64>, 64>;

// Squares strictly between two aligned squares; for others, empty.
consteval SquarePairTable between_table() {
  SquarePairTable table{};
  for (int from = 0; from < 64; ++from)
    for (const Step step : kKingSteps) {
      Bitboard passed;
      int file = from % 8 + step.file, rank = from / 8 + step.rank;
      for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += step.file, rank += step.rank) {
        table[from][rank * 8 + file] = passed;
        passed |= Square::at(file, rank);
      }
    }
  return table;
}

// The whole rank, file or diagonal through two aligned squares, edge to edge; for others, empty.
consteval SquarePairTable line_table() {
  SquarePairTable table{};
  for (int from = 0; from < 64; ++from)
    for (const Step step : kKingSteps) {
      Bitboard line = Square::from_index(from);
      for (const int sign : {-1, 1}) {
        int file = from % 8 + sign * step.file, rank = from / 8 + sign * step.rank;
        for (; file >= 0 && file < 8 && rank >= 0 && rank < 8;
             file += sign * step.file, rank += sign * step.rank)
          line |= Square::at(file, rank);
      }
      int file = from % 8 + step.file, rank = from / 8 + step.rank;
      for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += step.file, rank += step.rank)
        table[from][rank * 8 + file] = line;
    }
  return table;
}

inline constexpr auto kKnightAttacks = leaper_table(kKnightSteps);
inline constexpr auto kKingAttacks = leaper_table(kKingSteps);
inline constexpr auto kBetween = between_table();
inline constexpr auto kLine = line_table();

static_assert(kKnightAttacks[0].count() == 2, "a knight on a1 has two moves");
static_assert(kKingAttacks[27].count() == 8, "a king on d4 has eight");
static_assert(kBetween[0][63].count() == 6, "a1 and h8 have six squares between them");
static_assert(kLine[1][2] == Bitboard::rank(0), "b1 and c1 span the first rank");

}  // namespace detail

constexpr Bitboard knight_attacks(Square from) { return detail::kKnightAttacks[from.index()]; }
constexpr Bitboard king_attacks(Square from) { return detail::kKingAttacks[from.index()]; }
constexpr Bitboard between(Square a, Square b) { return detail::kBetween[a.index()][b.index()]; }
constexpr Bitboard line_through(Square a, Square b) { return detail::kLine[a.index()][b.index()]; }

inline Bitboard queen_attacks(Square from, Bitboard occupied) {
  return bishop_attacks(from, occupied) | rook_attacks(from, occupied);
}

// What a piece of this type attacks; pawns need a colour: see pawn_attacks in bitboard.h.
inline Bitboard attacks_of(PieceType type, Square from, Bitboard occupied) {
  switch (type) {
    case PieceType::Knight: return knight_attacks(from);
    case PieceType::Bishop: return bishop_attacks(from, occupied);
    case PieceType::Rook: return rook_attacks(from, occupied);
    case PieceType::Queen: return queen_attacks(from, occupied);
    case PieceType::King: return king_attacks(from);
    case PieceType::Pawn: break;
  }
  assert(false && "pawns attack differently for each colour");
  return {};
}

inline Bitboard attacks_of(Piece piece, Square from, Bitboard occupied) {
  return piece.type() == PieceType::Pawn ? pawn_attacks(from, piece.color())
                                         : attacks_of(piece.type(), from, occupied);
}

}  // namespace aleph::chess
