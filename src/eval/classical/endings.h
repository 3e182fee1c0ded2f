// Endings with few pieces that the classical evaluation knows by name and values directly.
#pragma once

#include <optional>

#include "chess/position.h"

namespace aleph::eval::classical {

// Side to move's view, in internal units; nothing if the ending has no value of its own. The side
// to move is not in check.
std::optional<int> known_ending_value(const chess::Position& position);

}  // namespace aleph::eval::classical
