// How one side sees the board: its own first rank below, and mirrored so that its king stands on
// one half of the board. Piece features want the king on files e-h, threat and pawn-pair features
// on a-d.
#pragma once

#include "chess/piece.h"
#include "chess/square.h"

namespace aleph::nnue {

class View {
 public:
  constexpr View(chess::Color side, chess::Square own_king)
      : piece_mask_((side == chess::Color::White ? 0 : 56) ^ (own_king.file() <= 3 ? 7 : 0)),
        king_bucket_(4 * (7 - own_king.relative_rank(side)) +
                     (own_king.file() <= 3 ? own_king.file() : 7 - own_king.file())),
        side_(side) {}

  constexpr chess::Color side() const { return side_; }
  // 0 for the viewer's own colour, 1 for the other.
  constexpr int relative(chess::Color color) const {
    return chess::index(color) ^ chess::index(side_);
  }
  constexpr int king_bucket() const { return king_bucket_; }  // 0 (corner, far rank) .. 31
  constexpr int piece_square(chess::Square square) const { return square.index() ^ piece_mask_; }
  constexpr int threat_square(chess::Square square) const {
    return square.index() ^ piece_mask_ ^ 7;
  }
  // Equal for two kings if everything but the king bucket stays the same.
  constexpr int orientation() const { return piece_mask_; }

 private:
  int piece_mask_;
  int king_bucket_;
  chess::Color side_;
};

static_assert(View(chess::Color::White, chess::squares::e1).king_bucket() == 31);
static_assert(View(chess::Color::Black, chess::squares::a8).king_bucket() == 28);
static_assert(View(chess::Color::White, chess::squares::a8).king_bucket() == 0);

}  // namespace aleph::nnue
