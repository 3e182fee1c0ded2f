// What a tablebase says about a position, from the point of view of the side to move.
#pragma once

#include <cstdint>

namespace aleph::chess {

// A cursed win is a win that the fifty-move rule turns into a draw, a blessed loss its other side;
// both as if a pawn had just moved or a piece been taken.
enum class Wdl : std::int8_t { Loss = -2, BlessedLoss, Draw, CursedWin, Win };

constexpr Wdl operator-(Wdl wdl) { return static_cast<Wdl>(-static_cast<int>(wdl)); }

}  // namespace aleph::chess
