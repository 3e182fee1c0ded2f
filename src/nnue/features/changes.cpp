#include "nnue/features/changes.h"

namespace aleph::nnue {

using chess::Bitboard;
using chess::Color;
using chess::Piece;
using chess::PieceType;
using chess::Square;

namespace {

// The pieces that count as targets of one kind of attacker.
template <const ThreatTables& Tables>
Bitboard targets_of(PieceType attacker, const Placement& placement) {
  Bitboard targets;
  for (const PieceType target : chess::kAllPieceTypes)
    if (Tables.counts(attacker, target)) targets |= placement.pieces(target);
  return targets;
}

// One of the two boards, with what find_relations asks of it again and again.
template <const ThreatTables& Tables>
class AttackBoard {
 public:
  explicit AttackBoard(const Placement& placement)
      : placement_(placement),
        occupied_(placement.occupied()),
        targets_{targets_of<Tables>(PieceType::Pawn, placement),
                 targets_of<Tables>(PieceType::Knight, placement),
                 targets_of<Tables>(PieceType::Bishop, placement),
                 targets_of<Tables>(PieceType::Rook, placement),
                 targets_of<Tables>(PieceType::Queen, placement),
                 targets_of<Tables>(PieceType::King, placement)} {}

  Bitboard occupied() const { return occupied_; }
  Bitboard targets(PieceType attacker) const { return targets_[index(attacker)]; }
  // Pieces attacked from `from` that count as targets of this attacker.
  Bitboard attacked(Piece attacker, Square from) const {
    return chess::attacks_of(attacker, from, occupied_) & targets(attacker.type());
  }
  template <class List>
  void list(Piece attacker, Square from, Bitboard attacked, List& relations) const {
    for (const Square to : attacked) relations.add({attacker, from, placement_.piece_on(to), to});
  }

 private:
  const Placement& placement_;
  Bitboard occupied_;
  std::array<Bitboard, chess::kPieceTypes> targets_;
};

// Pawns, knights and kings that stand still and attack a changed square.
Bitboard still_leapers(const Placement& before, Square square) {
  return (chess::pawn_attacks(square, Color::Black) &
          before.pieces(Color::White, PieceType::Pawn)) |
         (chess::pawn_attacks(square, Color::White) &
          before.pieces(Color::Black, PieceType::Pawn)) |
         (chess::knight_attacks(square) & before.pieces(PieceType::Knight)) |
         (chess::king_attacks(square) & before.pieces(PieceType::King));
}

Bitboard sliders_to(const Placement& before, Square square, Bitboard occupied) {
  const Bitboard queens = before.pieces(PieceType::Queen);
  return (chess::bishop_attacks(square, occupied) & (before.pieces(PieceType::Bishop) | queens)) |
         (chess::rook_attacks(square, occupied) & (before.pieces(PieceType::Rook) | queens));
}

template <const ThreatTables& Tables>
void find_relations_of(const Placement& before, const Placement& after, RelationChanges& changes) {
  const Bitboard changed = changed_squares(before, after);
  const AttackBoard<Tables> old_board(before), new_board(after);
  Bitboard sliders;
  for (const Square square : changed) {
    // What stood or stands on a changed square: all that it attacked, all that it attacks.
    if (old_board.occupied().has(square)) {
      const Piece piece = before.piece_on(square);
      old_board.list(piece, square, old_board.attacked(piece, square), changes.removed);
    }
    if (new_board.occupied().has(square)) {
      const Piece piece = after.piece_on(square);
      new_board.list(piece, square, new_board.attacked(piece, square), changes.added);
    }
    for (const Square from : still_leapers(before, square) & ~changed) {
      const Piece leaper = before.piece_on(from);
      old_board.list(leaper, from, old_board.targets(leaper.type()) & square, changes.removed);
      new_board.list(leaper, from, new_board.targets(leaper.type()) & square, changes.added);
    }
    sliders |= sliders_to(before, square, old_board.occupied());
  }
  // A slider's ray differs only from the first changed square on, and up to there both boards
  // agree: so looking from the changed squares on the old board finds every slider concerned.
  for (const Square from : sliders & ~changed) {
    const Piece slider = before.piece_on(from);
    const Bitboard was = old_board.attacked(slider, from), is = new_board.attacked(slider, from);
    const Bitboard same = was & is & ~changed;
    old_board.list(slider, from, was & ~same, changes.removed);
    new_board.list(slider, from, is & ~same, changes.added);
  }
}

}  // namespace

void find_relations(ThreatKind kind, const Placement& before, const Placement& after,
                    RelationChanges& changes) {
  if (kind == ThreatKind::Full18)
    find_relations_of<kThreats18>(before, after, changes);
  else
    find_relations_of<kThreats19>(before, after, changes);
}

}  // namespace aleph::nnue
