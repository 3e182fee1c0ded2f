// Leela's input by the book: a game as a list of setups, planes as arrays of squares, one rule
// after the other. Shares nothing with src/nets/encode but the names of the ways to fill a history.
#pragma once

#include <array>
#include <vector>

#include "chess/position.h"
#include "nets/encode/leela_history.h"

namespace aleph::test {

using SlowPlane = std::array<double, 64>;

// The planes of the last position of the game that is in `position`.
std::array<SlowPlane, 112> slow_planes112(const chess::Position& position, int format,
                                          nets::HistoryFill fill);

// Where a square (as the side to move sees it) goes in canonical formats.
int slow_symmetric_square(const chess::Position& position, int square);

}  // namespace aleph::test
