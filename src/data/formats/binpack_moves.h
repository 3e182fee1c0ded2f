#pragma once

#include "base/result.h"
#include "chess/move.h"
#include "chess/position.h"
#include "data/formats/binpack_bits.h"

// The moves and scores that follow the first position of a chain. A move is written as "the n-th of
// our pieces" and "the n-th of its squares", each in as many bits as there are choices; so it can
// be read only with the board at hand. docs/formats/binpack.md has the rules.
namespace aleph::data {

// The next move of this position. It is legal, or there is an error.
Result<chess::Move> take_binpack_move(BitReader& bits, const chess::Position& position);

// How much better the position is than the score before it made it look, seen by the side to move.
Result<int> take_binpack_score_difference(BitReader& bits);

}  // namespace aleph::data
