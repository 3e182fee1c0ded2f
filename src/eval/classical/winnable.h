// From the two halves of a score to one number: how much winning play is left, what the pieces can
// win at all, and how near the end game is.
#pragma once

#include "eval/classical/mg_eg.h"
#include "eval/classical/pawns.h"

namespace aleph::eval::classical {

// White's view.
struct Outcome {
  MgEg total;  // after the changes, the end-game half scaled
  int value = 0;
};
Outcome mix_halves(const Position& position, const PawnStructure& pawns, MgEg score);

}  // namespace aleph::eval::classical
