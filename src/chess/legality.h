// Questions about a single move, without generating any list.
#pragma once

#include "chess/position.h"

namespace aleph::chess {

// Whether any 16 bits, e.g. from a hash table, describe a move that follows the movement rules
// here, leaving one's own king in check aside.
bool is_pseudo_legal(const Position& position, Move move);

// Whether a pseudo-legal move leaves the own king safe.
bool keeps_king_safe(const Position& position, Move move);

inline bool is_legal(const Position& position, Move move) {
  return is_pseudo_legal(position, move) && keeps_king_safe(position, move);
}

// Answers gives_check for many moves of one position: the squares from which each kind of piece
// would attack the enemy king are found once.
class CheckFinder {
 public:
  explicit CheckFinder(const Position& position);
  bool gives_check(Move move) const;  // a legal move
  // Whether a piece of this type on `to` attacks the enemy king: most checks, found at once.
  bool attacks_king(PieceType type, Square to) const {
    return check_squares_[static_cast<std::size_t>(index(type))].has(to);
  }

 private:
  const Position& position_;
  Square enemy_king_;
  std::array<Bitboard, kPieceTypes> check_squares_{};
  Bitboard discoverers_;  // our pieces that alone stand between one of our sliders and the king
};

inline bool gives_check(const Position& position, Move move) {
  return CheckFinder(position).gives_check(move);
}

}  // namespace aleph::chess
