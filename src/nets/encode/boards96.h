// The input of Maia-3: for each square twelve numbers of each of eight boards, the oldest first,
// and the ratings of both players.
//
// Each board is seen by the side that was to move in it, so that sides alternate. Before the game
// the oldest board is repeated. Nothing tells castling rights, en passant, clocks or repetitions.
#pragma once

#include <span>

#include "chess/position.h"

namespace aleph::nets {

inline constexpr int kBoards96 = 96, kMaiaBoards = 8;
inline constexpr int kRatingNumbers = 4;
inline constexpr int kHighestRating = 5000;

// Without earlier positions the present one is shown eight times.
void encode_boards96(const chess::Position& position, bool earlier_positions,
                     std::span<float> numbers);

// a, 1 - a of the mover's rating, then of the opponent's; a = rating / 5000, within 0 and 1.
void encode_ratings(int rating, int opponent_rating, std::span<float> numbers);

}  // namespace aleph::nets
