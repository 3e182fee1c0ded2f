// What the enemy attacks, by kind of attacker: where a piece should not stay, or go.
#pragma once

#include <array>

#include "chess/position.h"

namespace aleph::search {

struct Threats {
  chess::Bitboard all;
  // By type of our piece: squares attacked by something that is worth less.
  std::array<chess::Bitboard, chess::kPieceTypes> by_lesser;

  static Threats against(const chess::Position& position) {
    using enum chess::PieceType;
    const chess::Color them = ~position.side_to_move();
    const chess::Bitboard occupied = position.occupied();
    const auto attacks = [&](chess::PieceType type) {
      chess::Bitboard set;
      for (const chess::Square from : position.pieces(them, type))
        set |= attacks_of(type, from, occupied);
      return set;
    };
    const chess::Bitboard pawns = pawn_attacks(position.pieces(them, Pawn), them);
    const chess::Bitboard minors = pawns | attacks(Knight) | attacks(Bishop);
    const chess::Bitboard rooks = minors | attacks(Rook);
    Threats threats;
    threats.by_lesser = {chess::Bitboard(), pawns, pawns, minors, rooks, chess::Bitboard()};
    threats.all = rooks | attacks(Queen) | king_attacks(position.king(them));
    return threats;
  }
};

}  // namespace aleph::search
