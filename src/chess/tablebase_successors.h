// The boards that legal moves lead to, for positions without castling rights. Copies bare boards,
// since a probe has no use for keys and history.
#pragma once

#include "chess/board.h"
#include "chess/castling.h"
#include "chess/movegen.h"

namespace aleph::chess::tablebase {

enum class Successors : std::uint8_t { All, Captures };

namespace detail {

// A visitor of the move generator (see movegen.h). `visit(board, zeroing)` returns whether to go
// on; zeroing moves are captures and pawn moves.
template <Color Us, Successors Which, class Visit>
class SuccessorVisitor {
 public:
  SuccessorVisitor(const Board& board, Visit& visit) : before_(board), visit_(visit) {
    before_.set_side_to_move(~Us);
    before_.clear_en_passant();
  }

  template <PieceType T>
  void piece(Square from, Bitboard targets) {
    const Bitboard enemies = before_.pieces(~Us);
    if (Which == Successors::Captures) targets &= enemies;
    for (const Square to : targets) move(Piece(Us, T), from, to, enemies.has(to));
  }
  template <Color>
  void single_steps(Bitboard targets) {
    for (const Square to : targets) move(kPawn, backward_of(to, Us), to, true);
  }
  template <Color>
  void double_steps(Bitboard targets) {
    for (const Square to : targets) {
      Board next = before_;
      const Square passed = backward_of(to, Us);
      next.shift(kPawn, backward_of(passed, Us), to);
      const Bitboard takers = pawn_attacks(passed, Us) & next.pieces(~Us, PieceType::Pawn);
      if (can_take(next, takers, passed)) next.set_en_passant(passed);
      give(next, true);
    }
  }
  template <Color, int FileStep>
  void pawn_captures(Bitboard targets) {
    for (const Square to : targets) move(kPawn, pawn_origin<Us, FileStep>(to), to, true);
  }
  template <Color, int FileStep>
  void promotions(Bitboard targets, Promotions) {
    if (Which == Successors::Captures && FileStep == 0) return;
    for (const Square to : targets) {
      Board next = before_;
      next.clear(to);
      next.toggle(kPawn, pawn_origin<Us, FileStep>(to));
      for (const PieceType type :
           {PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight}) {
        Board promoted = next;
        promoted.toggle(Piece(Us, type), to);
        give(promoted, true);
      }
    }
  }
  template <Color>
  void en_passant(Square from, Square to) {
    Board next = before_;
    next.toggle(Piece(~Us, PieceType::Pawn), backward_of(to, Us));
    next.shift(kPawn, from, to);
    give(next, true);
  }
  template <Color>
  void castling(Square, Square, CastlingSide) {}  // never: there are no rights

 private:
  static constexpr Piece kPawn{Us, PieceType::Pawn};

  // As Position does it: the square is set only if a pawn can really take there.
  static bool can_take(const Board& next, Bitboard takers, Square to) {
    for (const Square from : takers)
      if (chess::detail::en_passant_is_safe(next, ~Us, from, to)) return true;
    return false;
  }
  void move(Piece piece, Square from, Square to, bool zeroing) {
    Board next = before_;
    next.clear(to);
    next.shift(piece, from, to);
    give(next, zeroing);
  }
  void give(const Board& next, bool zeroing) {
    if (!stopped_) stopped_ = !visit_(next, zeroing);
  }

  Board before_;  // with the turn already passed on
  Visit& visit_;
  bool stopped_ = false;
};

template <Color Us, Successors Which, class Visit>
void visit_successors_of(const Board& board, Visit& visit) {
  constexpr MoveSet kSet = Which == Successors::All ? MoveSet::All : MoveSet::Captures;
  static constexpr CastlingGeometry kNoCastling;
  SuccessorVisitor<Us, Which, Visit> visitor(board, visit);
  visit_moves<Us, kSet>(board, kNoCastling, king_danger<Us>(board), visitor);
}

}  // namespace detail

// Calls visit(const Board& next, bool zeroing) for each legal move, as long as it answers true.
template <Successors Which, class Visit>
void visit_successors(const Board& board, Visit&& visit) {
  if (board.side_to_move() == Color::White)
    detail::visit_successors_of<Color::White, Which>(board, visit);
  else
    detail::visit_successors_of<Color::Black, Which>(board, visit);
}

}  // namespace aleph::chess::tablebase
