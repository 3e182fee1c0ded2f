#include "nets/encode/from_to.h"

#include "chess/movegen.h"

namespace aleph::nets {

using chess::Move;
using chess::Position;
using chess::Square;

FromTo FromTo::of(Move move, bool chess960) {
  if (!move.is_castling() || chess960) return {move.from(), move.to()};
  const bool king_side = move.to().file() > move.from().file();
  return {move.from(), Square::at(king_side ? 6 : 2, move.from().rank())};
}

std::optional<Move> legal_move_of(const Position& position, int id, int promotion,
                                  Normalization normalization) {
  chess::MoveList moves;
  chess::generate_all(position, moves);
  for (const Move move : moves) {
    if (from_to_id(position, move, normalization) != id) continue;
    if (!move.is_promotion() || promotion_id(move.promotion()) == promotion) return move;
  }
  return std::nullopt;
}

}  // namespace aleph::nets
