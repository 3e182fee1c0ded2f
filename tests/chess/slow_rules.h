// The rules of chess once more, on an 8 x 8 array and without a single bitboard: slow, obvious, and
// sharing nothing with the generator it judges but the types.
#pragma once

#include <vector>

#include "chess/move.h"
#include "chess/setup.h"

namespace aleph::test {

// Legal moves by trying every movement and looking whether the king could be taken.
// en_passant is taken as given in the setup.
std::vector<chess::Move> slow_legal_moves(const chess::Setup& setup);

// Whether the king of the side to move is attacked.
bool slow_in_check(const chess::Setup& setup);

// The setup after a legal move. En passant is set after every double step.
chess::Setup slow_make(const chess::Setup& setup, chess::Move move);

}  // namespace aleph::test
