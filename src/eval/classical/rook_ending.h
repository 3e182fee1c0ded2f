// Rook and pawn against rook, the most common ending: which positions are drawn, which easy to win.
#pragma once

#include <optional>

#include "eval/classical/army.h"

namespace aleph::eval::classical {

// A scale factor; nothing if no rule applies.
std::optional<int> rook_pawn_against_rook(const Ending& ending);

}  // namespace aleph::eval::classical
