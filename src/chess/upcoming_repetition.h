// Steps that a piece can make and take back, found by the difference of two position keys.
// After M. van Kervinck, "The Upcoming Repetition": 3668 such steps in a cuckoo hash of 8192 slots.
#pragma once

#include <cstdint>
#include <optional>

#include "chess/square.h"

namespace aleph::chess {

struct ReversibleStep {
  Square a, b;  // the piece stands on one and goes to the other
};

// The step whose two piece numbers xor to `key_difference` (the change of side already taken out).
std::optional<ReversibleStep> find_reversible_step(std::uint64_t key_difference);

}  // namespace aleph::chess
