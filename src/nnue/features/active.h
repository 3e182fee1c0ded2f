// The slow, obvious way to the input features: look at every square, from scratch.
// Everything faster is tested against this.
#pragma once

#include <cstdint>
#include <vector>

#include "nnue/architecture.h"
#include "nnue/features/placement.h"

namespace aleph::nnue {

// Sorted. One per piece.
std::vector<std::uint32_t> active_pieces(FeatureFamily family, const Placement& placement,
                                         chess::Color perspective);
// Sorted; empty for ThreatKind::None.
std::vector<std::uint32_t> active_threats(ThreatKind kind, const Placement& placement,
                                          chess::Color perspective);
// Sorted.
std::vector<std::uint32_t> active_pawn_pairs(const Placement& placement, chess::Color perspective);

}  // namespace aleph::nnue
