// A network that only counts material and likes some squares more than others: what a network must
// beat to be worth its time. It plays in the same engine, since it is a file like any other.
#pragma once

#include "nnue/network.h"

namespace aleph::train {

// 256 wide like the default network; the layers say nothing, only the piece-square part does.
nnue::Network material_and_squares_network();

// The part of one piece, in internal units: for its own side, squares as that side sees them.
// `phase` is 0 in the end game and 1 with all pieces on the board.
double units_on_square(int piece_type, int square, double phase);

}  // namespace aleph::train
