#include "chess/legality.h"

namespace aleph::chess {

namespace {

// Castling is never half legal: its rules ask for safe squares from the start.
bool is_castling_possible(const Position& position, Move move) {
  const Color us = position.side_to_move();
  if (position.in_check() || move.from() != position.king(us)) return false;
  for (const CastlingSide side : kCastlingSides) {
    if (!position.castling().has(us, side)) continue;
    if (position.castling_geometry().rook(us, side) != move.to()) continue;
    return detail::may_castle(position.board(), position.castling_geometry(), us, side,
                              position.pinned());
  }
  return false;
}

bool is_pawn_move(const Position& position, Move move) {
  const Color us = position.side_to_move();
  const Square from = move.from(), to = move.to();
  if (move.is_en_passant()) return position.en_passant() == to && pawn_attacks(from, us).has(to);
  if (move.is_promotion() != (to.relative_rank(us) == 7)) return false;
  if (pawn_attacks(from, us).has(to)) return position.pieces(~us).has(to);
  if (!position.is_empty(to) || from.file() != to.file()) return false;
  const int step = to.relative_rank(us) - from.relative_rank(us);
  if (step == 1) return true;
  return step == 2 && from.relative_rank(us) == 1 && position.is_empty(forward_of(from, us));
}

}  // namespace

bool is_pseudo_legal(const Position& position, Move move) {
  if (!move) return false;
  const Color us = position.side_to_move();
  const Square from = move.from(), to = move.to();
  const auto mover = position.piece_at(from);
  if (!mover || mover->color() != us) return false;

  switch (move.kind()) {
    case MoveKind::Castling: return is_castling_possible(position, move);
    case MoveKind::Normal: break;
    case MoveKind::EnPassant:
    case MoveKind::PromoteKnight:
    case MoveKind::PromoteBishop:
    case MoveKind::PromoteRook:
    case MoveKind::PromoteQueen:
      if (mover->type() != PieceType::Pawn) return false;
      break;
    default: return false;  // bits that name no kind
  }
  if (position.pieces(us).has(to)) return false;
  if (mover->type() == PieceType::Pawn) return is_pawn_move(position, move);
  return attacks_of(mover->type(), from, position.occupied()).has(to);
}

bool keeps_king_safe(const Position& position, Move move) {
  const Color us = position.side_to_move();
  const Square from = move.from(), to = move.to(), king = position.king(us);
  if (move.is_castling()) return true;  // is_pseudo_legal has asked everything
  if (move.is_en_passant()) return detail::en_passant_is_safe(position.board(), us, from, to);
  if (from == king)
    return !position.board().is_attacked(to, ~us, position.occupied() ^ Bitboard(king));
  if (position.pinned().has(from) && !line_through(king, from).has(to)) return false;
  const Bitboard checkers = position.checkers();
  if (checkers.empty()) return true;
  return !checkers.several() && (between(king, checkers.first()) | checkers).has(to);
}

CheckFinder::CheckFinder(const Position& position)
    : position_(position), enemy_king_(position.king(~position.side_to_move())) {
  const Color us = position.side_to_move();
  const Bitboard occupied = position.occupied();
  const auto squares = [this](PieceType type) -> Bitboard& {
    return check_squares_[static_cast<std::size_t>(index(type))];
  };
  squares(PieceType::Pawn) = pawn_attacks(enemy_king_, ~us);
  squares(PieceType::Knight) = knight_attacks(enemy_king_);
  squares(PieceType::Bishop) = bishop_attacks(enemy_king_, occupied);
  squares(PieceType::Rook) = rook_attacks(enemy_king_, occupied);
  squares(PieceType::Queen) = squares(PieceType::Bishop) | squares(PieceType::Rook);

  const Board& board = position.board();
  const Bitboard ours = position.pieces(us);
  const Bitboard snipers = ((bishop_attacks(enemy_king_, Bitboard()) & board.diagonal_sliders()) |
                            (rook_attacks(enemy_king_, Bitboard()) & board.straight_sliders())) &
                           ours;
  for (const Square sniper : snipers) {
    const Bitboard blockers = between(enemy_king_, sniper) & occupied;
    if (!blockers.several()) discoverers_ |= blockers & ours;
  }
}

bool CheckFinder::gives_check(Move move) const {
  const Color us = position_.side_to_move();
  const Square from = move.from(), to = move.to();
  const Bitboard occupied = position_.occupied();
  const Board& board = position_.board();
  if (move.is_castling()) {
    const auto side = to.file() > from.file() ? CastlingSide::King : CastlingSide::Queen;
    const Square rook_to = castled_rook_square(us, side);
    const Bitboard after =
        (occupied & ~(Bitboard(from) | to)) | rook_to | castled_king_square(us, side);
    return rook_attacks(rook_to, after).has(enemy_king_);
  }
  const PieceType type = position_.piece_on(from).type();
  if (check_squares_[static_cast<std::size_t>(index(type))].has(to) && !move.is_promotion())
    return true;
  if (discoverers_.has(from) && !line_through(enemy_king_, from).has(to)) return true;
  if (move.is_promotion())
    return attacks_of(move.promotion(), to, occupied ^ Bitboard(from)).has(enemy_king_);
  if (move.is_en_passant()) {
    // Two pawns leave their squares; either may have stood in the way of a slider.
    const Bitboard after = (occupied ^ from ^ backward_of(to, us)) | to;
    const Bitboard ours = position_.pieces(us);
    return ((bishop_attacks(enemy_king_, after) & board.diagonal_sliders() & ours) |
            (rook_attacks(enemy_king_, after) & board.straight_sliders() & ours))
        .any();
  }
  return false;
}

}  // namespace aleph::chess
