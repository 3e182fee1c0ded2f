// Seed 003: a board as 16 planes, and with four more about the kings as 20.
//
// The seed says White and Black; here the board is normalised, so that it is own and enemy.
//
//   0 .. 5    own pawns, knights, bishops, rooks, queens, king
//   6 .. 11   the enemy's
//   12, 13    castling on the king's and the queen's side: ones on the lower half of the board if
//   we
//             may, on the upper half if the enemy may. The seed has one number for both sides and
//             does not say whose it is; this tells all four rights in its two planes.
//   14        en passant: ones on the file, if a pawn can really take
//   15        clock of the fifty-move rule / 100
//   16, 17    planes20: steps of a king to the own king / 7, and to the enemy's
//   18, 19    planes20: squares at most two steps from the own king that the enemy attacks, and the
//             reverse. Pinned men attack too, and squares of their own men.
#pragma once

#include <span>

#include "chess/board.h"
#include "nets/encode/normalization.h"

namespace aleph::nets {

inline constexpr int kPlanes16 = 16, kPlanes20 = 20;

void encode_planes16(const chess::Board& board, int halfmove_clock, Normalization normalization,
                     std::span<float> numbers);
void encode_planes20(const chess::Board& board, int halfmove_clock, Normalization normalization,
                     std::span<float> numbers);

}  // namespace aleph::nets
