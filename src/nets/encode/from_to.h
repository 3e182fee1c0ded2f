// Moves as one of 4096 numbers: origin times 64 plus target, normalised. Promotions share a number;
// which piece it becomes is a second one.
//
// Castling is the king's move, e1g1; in Chess960, where that could be an ordinary move too, it is
// the king's move onto its rook. No two legal moves of a position share both numbers.
#pragma once

#include <cstdint>
#include <optional>

#include "chess/position.h"
#include "nets/encode/normalization.h"

namespace aleph::nets {

inline constexpr int kFromTo = 4096;
inline constexpr int kPromotions = 4;  // queen, rook, bishop, knight

// Where a move starts and ends on the board of the game, castling as said above.
struct FromTo {
  chess::Square from, to;

  static FromTo of(chess::Move move, bool chess960);
  // As the side to move sees it. It need not be the side that made the move: earlier moves are
  // seen by who is to move now.
  int id(chess::Color side_to_move, Normalization normalization) const {
    return normalized(from, side_to_move, normalization).index() * 64 +
           normalized(to, side_to_move, normalization).index();
  }
};

inline int from_to_id(const chess::Position& position, chess::Move move,
                      Normalization normalization = Normalization::Flip) {
  return FromTo::of(move, position.is_chess960()).id(position.side_to_move(), normalization);
}

constexpr int promotion_id(chess::PieceType type) {
  return chess::index(chess::PieceType::Queen) - chess::index(type);
}
constexpr chess::PieceType promotion_type(int id) {
  return static_cast<chess::PieceType>(chess::index(chess::PieceType::Queen) - id);
}
static_assert(promotion_id(chess::PieceType::Queen) == 0);
static_assert(promotion_id(chess::PieceType::Knight) == 3);

// The legal move with these numbers, if there is one. `promotion` matters only to promotions.
std::optional<chess::Move> legal_move_of(const chess::Position& position, int id, int promotion,
                                         Normalization normalization = Normalization::Flip);

}  // namespace aleph::nets
