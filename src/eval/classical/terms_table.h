// The terms of the classical evaluation as a table, in the layout of Stockfish's "eval".
#pragma once

#include <string>

#include "eval/classical/evaluate.h"

namespace aleph::eval::classical {

// Many lines, each ended; pawns of `units_per_pawn`, White's view.
std::string format_terms(const Evaluation& evaluation, int units_per_pawn);

}  // namespace aleph::eval::classical
