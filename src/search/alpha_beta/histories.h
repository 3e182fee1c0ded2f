// What moves were worth elsewhere in the tree: tables that learn while the search runs, one set per
// thread. All entries move towards a bonus by "gravity": the nearer an entry is to its limit, the
// less a further bonus in that direction moves it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "chess/bitboard.h"
#include "chess/move.h"
#include "chess/piece.h"

namespace aleph::search {

template <int Limit>
class Gravity {
 public:
  int value() const { return value_; }
  void set(int value) { value_ = static_cast<std::int16_t>(value); }
  void add(int bonus) {
    const int cut = std::clamp(bonus, -Limit, Limit);
    value_ = static_cast<std::int16_t>(value_ + cut - value_ * std::abs(cut) / Limit);
  }

 private:
  std::int16_t value_;
};

// A piece and the square it goes to, as one number.
inline constexpr int kPieceSquares = chess::kPieces * 64;
constexpr int piece_square(chess::Piece piece, chess::Square to) {
  return piece.index() * 64 + to.index();
}

constexpr std::size_t from_to(chess::Move move) { return move.bits() & 0xFFF; }

using ContinuationTable = std::array<Gravity<30'000>, kPieceSquares>;
// Corrections of the static evaluation after a pair of moves.
using ContinuationCorrection = std::array<Gravity<1024>, kPieceSquares>;

struct Histories {
  static constexpr int kPawnTables = 512, kLowPlies = 4;
  // The row of a move that was none: a null move, or what came before the root.
  static constexpr int kNoMove = kPieceSquares;

  template <class T>
  using ByPieceSquare = std::array<T, kPieceSquares>;

  // By colour, whether the enemy attacks the origin, and the target, and by origin and target.
  std::array<std::array<std::array<std::array<Gravity<7183>, 4096>, 2>, 2>, 2> butterfly;
  std::array<std::array<Gravity<10'692>, chess::kPieceTypes>, kPieceSquares> capture;
  std::array<ByPieceSquare<Gravity<8192>>, kPawnTables> pawn;
  std::array<std::array<Gravity<7183>, 4096>, kLowPlies> low_ply;
  // By whether the earlier move was made in check, and whether it took something; and by that move.
  std::array<std::array<std::array<ContinuationTable, kPieceSquares + 1>, 2>, 2> continuation;
  std::array<ContinuationCorrection, kPieceSquares + 1> continuation_correction;
  Gravity<8192> table_move;  // how often the move from the table is the best

  auto& quiet(chess::Color color, chess::Move move, chess::Bitboard attacked) {
    return butterfly[static_cast<std::size_t>(chess::index(color))][attacked.has(move.from())]
                    [attacked.has(move.to())][from_to(move)];
  }
  auto& pawns(std::uint64_t pawn_key) { return pawn[pawn_key % kPawnTables]; }

  void clear();
  // What was learned about the last move of the game still holds, but less.
  void start_new_search();
};

}  // namespace aleph::search
