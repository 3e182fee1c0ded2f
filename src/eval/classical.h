// Stockfish's classical count of the end game: material and piece-square values. The evaluations of
// 15.1 and 16 mix it in to judge how unclear a position is. Their full classical evaluation, which
// they use where one side is far ahead, is not part of Aleph.
#pragma once

#include <array>
#include <cstdint>

#include "chess/position.h"

namespace aleph::eval {

// White's pieces less Black's, by piece and square; each entry includes the piece's value.
extern const std::array<std::array<std::int16_t, 64>, chess::kPieces> kClassicalEndgame;

// Side to move's view, in internal units.
int classical_endgame(const chess::Position& position);

}  // namespace aleph::eval
