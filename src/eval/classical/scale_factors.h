// How much of an advantage in the end game counts, by what the pieces that are left can win.
#pragma once

#include "chess/position.h"

namespace aleph::eval::classical {

// In sixty-fourths; more than that only for a few good endings.
inline constexpr int kFullScale = 64;

// Whether the pieces are exactly those of an ending with rules of its own.
bool has_own_rules(const chess::Position& position);

// For an advantage of `strong`. kFullScale: nothing is known about such pieces.
int scale_factor(const chess::Position& position, chess::Color strong);

}  // namespace aleph::eval::classical
