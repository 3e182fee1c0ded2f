// Seed 002 (2.4): a board as 18 planes, for its convolutional network.
//
// The seed leaves the board as it is and says White and Black; here it is normalised, so that it is
// own and enemy. Whose move it is stays in the plane the seed has for it.
//
//   0 .. 5    own pawns, knights, bishops, rooks, queens, king
//   6 .. 11   the enemy's
//   12        ones if White is to move
//   13 .. 16  ones if we may castle on the king's side, on the queen's side; the same of the enemy
//   17        the square on which a pawn can really take en passant
#pragma once

#include <span>

#include "chess/board.h"
#include "nets/encode/normalization.h"

namespace aleph::nets {

inline constexpr int kPlanes18 = 18;

void encode_planes18(const chess::Board& board, Normalization normalization,
                     std::span<float> numbers);

}  // namespace aleph::nets
