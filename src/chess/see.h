// Static exchange evaluation: what a move gains if both sides go on taking on its target square
// with their cheapest piece, and either may stop when it pays. Pieces pinned to their king stay out
// while the pinning piece is on the board. Promotions count only for the first move. In units of
// 1/100 pawn, of its own scale.
#pragma once

#include <array>
#include <optional>

#include "chess/position.h"

namespace aleph::chess {

inline constexpr std::array<int, kPieceTypes> kSeeValues{100, 320, 330, 500, 950, 0};
constexpr int see_value(PieceType type) {
  return kSeeValues[static_cast<std::size_t>(index(type))];
}

// Pieces of one side that alone shield their king from enemy sliders, and those sliders.
struct Pins {
  Bitboard pinned, pinners;
  static Pins of(const Position& position, Color color);
};

// Those of both sides, found when they are first asked for: many exchanges may begin in one
// position.
class PinsOfBothSides {
 public:
  const Pins& of(const Position& position, Color color) {
    auto& known = known_[static_cast<std::size_t>(index(color))];
    if (!known) known = Pins::of(position, color);
    return *known;
  }

 private:
  std::array<std::optional<Pins>, kColors> known_;
};

// Whether the exchange begun by this legal move is worth `threshold` or more. `pins` are of this
// position, or new.
bool see_at_least(const Position& position, Move move, int threshold, PinsOfBothSides& pins);
inline bool see_at_least(const Position& position, Move move, int threshold) {
  PinsOfBothSides pins;
  return see_at_least(position, move, threshold, pins);
}

// The slow, obvious twin: plays the exchange out by recursion and returns its worth.
int see_by_playing_out(const Position& position, Move move);

}  // namespace aleph::chess
