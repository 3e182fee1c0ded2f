// What the pawns alone say, wherever the pieces stand.
#pragma once

#include <array>

#include "eval/classical/geometry.h"
#include "eval/classical/mg_eg.h"

namespace aleph::eval::classical {

struct PawnSide {
  MgEg score;
  Bitboard attacks;
  Bitboard attack_span;  // what they attack now or may attack after advancing
  Bitboard passed;       // also those that a lever or a neighbour's push makes so
};

struct PawnStructure {
  std::array<PawnSide, chess::kColors> sides;
  int blocked = 0;  // pawns of both sides that cannot advance, or not safely

  const PawnSide& of(Color color) const { return sides[chess::index(color)]; }
  int passed_count() const { return (sides[0].passed | sides[1].passed).count(); }

  static PawnStructure of(const Position& position);
};

}  // namespace aleph::eval::classical
