// What pieces are worth to the classical evaluation, and to the formulas around the networks.
#pragma once

#include <array>

#include "chess/position.h"
#include "eval/classical/mg_eg.h"

namespace aleph::eval::classical {

// By piece type; a king has no price.
inline constexpr std::array<MgEg, chess::kPieceTypes> kPieceValues{
    {{126, 208}, {781, 854}, {825, 915}, {1276, 1380}, {2538, 2682}, {0, 0}}};

constexpr MgEg value_of(chess::PieceType type) { return kPieceValues[chess::index(type)]; }

// One side's knights to queens, at their middle-game values.
inline int pieces_value(const chess::Position& position, chess::Color color) {
  using enum chess::PieceType;
  return value_of(Knight).mg * position.pieces(color, Knight).count() +
         value_of(Bishop).mg * position.pieces(color, Bishop).count() +
         value_of(Rook).mg * position.pieces(color, Rook).count() +
         value_of(Queen).mg * position.pieces(color, Queen).count();
}

inline int pieces_value(const chess::Position& position) {
  return pieces_value(position, chess::Color::White) + pieces_value(position, chess::Color::Black);
}

}  // namespace aleph::eval::classical
