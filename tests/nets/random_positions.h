// Positions of random games, the same for the same seed: ordinary ones, Chess960, and games that
// begin near promotions, castling, en passant or the end. Moves are often taken back on the board,
// so that positions come again.
#pragma once

#include <cstdint>
#include <functional>

#include "chess/position.h"

namespace aleph::test {

// Calls `visit` with so many positions, each with the game that led to it.
void visit_random_positions(std::uint64_t seed, int count,
                            const std::function<void(const chess::Position&)>& visit);

// For hand-made cases; fails the test if the text is wrong.
chess::Position position_of(const char* fen);
// Plays moves as UCI writes them: "e2e4 e7e5".
chess::Position played(chess::Position position, const char* moves);

}  // namespace aleph::test
