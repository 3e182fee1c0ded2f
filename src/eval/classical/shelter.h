// How well pawns shelter a king, and how far enemy pawns have come towards it.
#pragma once

#include "eval/classical/pawns.h"

namespace aleph::eval::classical {

// For the best of the squares where the king stands or may castle to.
MgEg king_shelter(const Position& position, const PawnStructure& pawns, Color us);

}  // namespace aleph::eval::classical
