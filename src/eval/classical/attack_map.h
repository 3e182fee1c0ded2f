// Who attacks what: the common ground of the terms that look at pieces together.
#pragma once

#include <array>

#include "eval/classical/mg_eg.h"
#include "eval/classical/pawns.h"

namespace aleph::eval::classical {

// Attacks on the enemy king by one side.
struct KingAttack {
  int attackers = 0;  // pieces that attack its surroundings, and squares there that pawns attack
  int weight = 0;     // of those pieces
  int attacks = 0;    // on squares next to the king, one for each piece and square
};

struct SideMap {
  std::array<Bitboard, chess::kPieceTypes> by_type{};
  Bitboard all, twice;     // attacked at least once, at least twice
  Bitboard mobility_area;  // squares that count as room for this side's pieces
  Bitboard king_ring;      // surroundings of this side's king, but for what two pawns guard
  Bitboard king_blockers;  // pieces of either side that keep a slider off this side's king
  KingAttack king_attack;  // by this side
  MgEg mobility;

  Bitboard by(PieceType type) const { return by_type[chess::index(type)]; }
  void add(PieceType type, Bitboard attacks) {
    by_type[chess::index(type)] |= attacks;
    twice |= all & attacks;
    all |= attacks;
  }
};

// What all terms are given. Refers to the position.
struct Scene {
  const Position& position;
  PawnStructure pawns;
  std::array<SideMap, chess::kColors> sides{};

  SideMap& of(Color color) { return sides[chess::index(color)]; }
  const SideMap& of(Color color) const { return sides[chess::index(color)]; }
};

// Kings and pawns only; score_pieces() adds the pieces as it meets them.
void place_kings_and_pawns(Scene& scene);

}  // namespace aleph::eval::classical
