// Multipliers that press a slider's blockers into an index without a harmful collision.
// Found by tools/find_magics.cpp (seeded, so it finds these again).
#pragma once

#include <array>
#include <cstdint>

namespace aleph::chess {

extern const std::array<std::uint64_t, 64> kBishopMagics;
extern const std::array<std::uint64_t, 64> kRookMagics;

}  // namespace aleph::chess
