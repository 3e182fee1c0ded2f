// Networks see the board as the side to move does: its own men first, going up.
#pragma once

#include <cstdint>

#include "chess/color.h"
#include "chess/square.h"

namespace aleph::nets {

// What is done when Black is to move. Flip keeps files, so that kings and castling stay where a
// network expects them. Rotate turns the board by half: a king then stands on d1, and the sides of
// castling change places. Kept so that the two can be compared.
enum class Normalization : std::uint8_t { Flip, Rotate };

constexpr chess::Square normalized(chess::Square square, chess::Color side_to_move,
                                   Normalization normalization) {
  if (side_to_move == chess::Color::White) return square;
  return normalization == Normalization::Flip ? square.mirrored()
                                              : chess::Square::from_index(63 - square.index());
}

}  // namespace aleph::nets
