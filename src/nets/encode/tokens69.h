// Seed 002 (2.3, 4.3.1): a board as 69 words, for its transformer.
//
//   0         whose move: 0 White, 1 Black
//   1 .. 4    whether we may castle on the king's side, on the queen's side; the same of the enemy
//   5 .. 68   what stands on each square, a1 first, as the side to move sees it: 0 nothing, then
//             pawn 2, rook 4, knight 6, bishop 8, queen 10, king 12 of the enemy, and one more for
//             our own. Word 1 means nothing: rows of LE22ct that have it mark en passant so, but
//             the seed's rows do not have it.
//
// The seed says Black and White where this says enemy and own: the board is normalised.
#pragma once

#include <cstdint>
#include <span>

#include "chess/board.h"
#include "nets/encode/normalization.h"

namespace aleph::nets {

inline constexpr int kTokens69 = 69;
inline constexpr int kTurnWords = 2, kCastlingWords = 2, kSquareWords = 14;

void encode_tokens69(const chess::Board& board, Normalization normalization,
                     std::span<std::int16_t> tokens);

}  // namespace aleph::nets
