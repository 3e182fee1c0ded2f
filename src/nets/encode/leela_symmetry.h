// Leela's canonical input formats (3 and up) turn a position so that equal ones look equal: without
// castling rights the own king comes to the right half of the board; without pawns to its lower
// right eighth too.
#pragma once

#include <cstdint>

#include "chess/board.h"

namespace aleph::nets {

class LeelaSymmetry {
 public:
  constexpr LeelaSymmetry() = default;  // changes nothing
  // Chosen from the board alone, as its side to move sees it.
  static LeelaSymmetry of(const chess::Board& board);

  // From squares and sets as the side to move sees them (Normalization::Flip).
  chess::Square operator()(chess::Square square) const;
  chess::Bitboard operator()(chess::Bitboard set) const;
  // Back from what operator() gave.
  chess::Square undone(chess::Square square) const;
  // What Lc0 does with the squares of moves since 2025-03-31 (commit 6fa9f132): where files and
  // ranks should change places, it turns the board by half instead. Boards are right there.
  chess::Square as_lc0_errs(chess::Square square) const;

  bool flips_files() const { return flip_; }
  bool mirrors_ranks() const { return mirror_; }
  bool transposes() const { return transpose_; }
  bool any() const { return flip_ || mirror_ || transpose_; }
  friend constexpr bool operator==(LeelaSymmetry, LeelaSymmetry) = default;

 private:
  bool flip_ = false, mirror_ = false, transpose_ = false;  // done in this order
};

}  // namespace aleph::nets
