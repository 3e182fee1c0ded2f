#include "eval/classical/kpk.h"

namespace aleph::eval::classical {

namespace {

// All squares a king on one of these can step to.
Bitboard king_steps(Bitboard kings) {
  const Bitboard row = chess::east(kings) | chess::west(kings);
  const Bitboard rows = kings | row;
  return row | chess::north(rows) | chess::south(rows);
}

// With the pawn on its last rank but one: where the weak king does not prevent promotion.
Bitboard cannot_stop(Square pawn, Square strong_king) {
  const Square goal = chess::forward_of(pawn, Color::White);
  if (strong_king == goal) return {};
  const Bitboard guarded = chess::king_attacks(goal) | goal;
  return guarded.has(strong_king) ? Bitboard::all() : ~guarded;
}

}  // namespace

KpkTable::KpkTable() {
  // A pawn only moves up: what it may become is known by then.
  for (int rank = 6; rank >= 1; --rank)
    for (int file = 0; file < 4; ++file) solve(Square::at(file, rank));
}

// Works on 64 squares of the weak king at once, until nothing more is won.
void KpkTable::solve(Square pawn) {
  KingSets &strong_moves = strong_moves_[index(pawn)], &weak_moves = weak_moves_[index(pawn)];
  const Bitboard pawn_guards = chess::pawn_attacks(pawn, Color::White);
  const Square next = chess::forward_of(pawn, Color::White);

  KingSets legal{};  // with the strong side to move: the weak king is not in check
  for (int i = 0; i < 64; ++i) {
    const Square king = Square::from_index(i);
    if (king == pawn) continue;
    const Bitboard king_guards = chess::king_attacks(king);
    legal[i] = ~(king_guards | king | pawn | pawn_guards);
    if (pawn.rank() == 6) {
      strong_moves[i] = legal[i] & cannot_stop(pawn, king);
      continue;
    }
    Bitboard won = wins(false, next)[i];
    if (pawn.rank() == 1 && king != next)
      won |= wins(false, chess::forward_of(next, Color::White))[i] & ~Bitboard(next);
    strong_moves[i] = legal[i] & won;
  }

  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < 64; ++i) {
      const Square king = Square::from_index(i);
      if (king == pawn) continue;
      const Bitboard king_guards = chess::king_attacks(king);
      // Not stalemate, no capture of the pawn, no step to a place that is not yet lost.
      const Bitboard can_move = king_steps(~(king_guards | pawn_guards));
      const Bitboard can_take = king_guards.has(pawn) ? Bitboard() : chess::king_attacks(pawn);
      const Bitboard can_hold = king_steps(legal[i] & ~strong_moves[i]);
      weak_moves[i] = ~(king_guards | king | pawn) & can_move & ~can_take & ~can_hold;
    }
    for (int i = 0; i < 64; ++i) {
      Bitboard won = strong_moves[i];
      for (const Square to : chess::king_attacks(Square::from_index(i)))
        won |= weak_moves[to.index()] & legal[i];
      changed |= won != strong_moves[i];
      strong_moves[i] = won;
    }
  }
}

std::size_t KpkTable::win_count() const {
  int count = 0;
  for (const auto* table : {&strong_moves_, &weak_moves_})
    for (const KingSets& sets : *table)
      for (const Bitboard set : sets) count += set.count();
  return static_cast<std::size_t>(count);
}

const KpkTable& kpk_table() {
  static const KpkTable table;
  return table;
}

}  // namespace aleph::eval::classical
