// King and pawn against king, solved: 24 pawn squares, two kings, two sides to move.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>

#include "eval/classical/geometry.h"

namespace aleph::eval::classical {

class KpkTable {
 public:
  KpkTable();  // solves all positions; a few milliseconds

  // Whether the side with the pawn, which plays up the board, wins. The pawn is on files a to d.
  bool is_win(Square pawn, Square strong_king, Square weak_king, bool strong_to_move) const {
    assert(pawn.file() < 4);
    return wins(strong_to_move, pawn)[strong_king.index()].has(weak_king);
  }
  std::size_t win_count() const;  // of all, either side to move

 private:
  // For each square of the strong king: the squares of the weak one with which it is a win.
  using KingSets = std::array<Bitboard, 64>;

  static constexpr int index(Square pawn) { return (pawn.rank() - 1) * 4 + pawn.file(); }
  const KingSets& wins(bool strong_to_move, Square pawn) const {
    return (strong_to_move ? strong_moves_ : weak_moves_)[index(pawn)];
  }
  void solve(Square pawn);

  std::array<KingSets, 24> strong_moves_{}, weak_moves_{};
};

// Solved when first asked for.
const KpkTable& kpk_table();

}  // namespace aleph::eval::classical
