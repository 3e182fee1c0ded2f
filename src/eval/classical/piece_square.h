// Material and piece-square values, the base of the classical evaluation. The formulas of 15.1 and
// 16 also use the end-game half by itself, to judge how unclear a position is.
#pragma once

#include <array>
#include <cstdint>

#include "chess/position.h"
#include "eval/classical/mg_eg.h"
#include "nnue/features/placement.h"

namespace aleph::eval::classical {

// White's pieces less Black's, by piece and square; each entry includes the piece's value. Two
// tables instead of one of pairs: searches read the second alone.
using PieceSquareTable = std::array<std::array<std::int16_t, 64>, chess::kPieces>;
extern const PieceSquareTable kMiddleGameSquares, kEndGameSquares;

// White's view, in internal units.
MgEg piece_square_sum(const chess::Position& position);

// Side to move's view, in internal units: the end-game half.
int end_game_sum(const chess::Position& position);

// The same number along a search, whose boards differ in a few pieces from one to the next: only
// those are counted.
class EndGameSum {
 public:
  int of(const chess::Position& position);

 private:
  nnue::Placement last_;  // no pieces at first
  int sum_ = 0;           // of the last board, White's view
};

}  // namespace aleph::eval::classical
