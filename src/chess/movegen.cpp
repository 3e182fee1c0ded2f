#include "chess/movegen.h"

#include "chess/position.h"

namespace aleph::chess {

namespace {

// Writes moves into a list.
class Lister {
 public:
  explicit Lister(MoveList& moves) : moves_(moves) {}

  template <PieceType T>
  void piece(Square from, Bitboard targets) {
    for (const Square to : targets) moves_.add(Move(from, to));
  }
  template <Color Us>
  void single_steps(Bitboard targets) {
    for (const Square to : targets) moves_.add(Move(backward_of(to, Us), to));
  }
  template <Color Us>
  void double_steps(Bitboard targets) {
    for (const Square to : targets) moves_.add(Move(backward_of(backward_of(to, Us), Us), to));
  }
  template <Color Us, int FileStep>
  void pawn_captures(Bitboard targets) {
    for (const Square to : targets) moves_.add(Move(pawn_origin<Us, FileStep>(to), to));
  }
  template <Color Us, int FileStep>
  void promotions(Bitboard targets, Promotions which) {
    for (const Square to : targets) {
      const Square from = pawn_origin<Us, FileStep>(to);
      if (which != Promotions::UnderOnly) moves_.add(Move(from, to, MoveKind::PromoteQueen));
      if (which == Promotions::QueenOnly) continue;
      moves_.add(Move(from, to, MoveKind::PromoteKnight));
      moves_.add(Move(from, to, MoveKind::PromoteRook));
      moves_.add(Move(from, to, MoveKind::PromoteBishop));
    }
  }
  template <Color Us>
  void en_passant(Square from, Square to) {
    moves_.add(Move(from, to, MoveKind::EnPassant));
  }
  template <Color Us>
  void castling(Square king, Square rook, CastlingSide) {
    moves_.add(Move(king, rook, MoveKind::Castling));
  }

 private:
  MoveList& moves_;
};

template <MoveSet Set, class Visitor>
void visit(const Position& position, Visitor& visitor) {
  const auto& geometry = position.castling_geometry();
  if (position.side_to_move() == Color::White)
    visit_moves<Color::White, Set>(position.board(), geometry, position.danger(), visitor);
  else
    visit_moves<Color::Black, Set>(position.board(), geometry, position.danger(), visitor);
}

template <MoveSet Set>
void generate(const Position& position, MoveList& moves) {
  Lister lister(moves);
  visit<Set>(position, lister);
}

}  // namespace

void generate_all(const Position& position, MoveList& moves) {
  generate<MoveSet::All>(position, moves);
}
void generate_captures(const Position& position, MoveList& moves) {
  generate<MoveSet::Captures>(position, moves);
}
void generate_quiets(const Position& position, MoveList& moves) {
  generate<MoveSet::Quiets>(position, moves);
}
void generate_evasions(const Position& position, MoveList& moves) {
  assert(position.in_check());
  generate<MoveSet::All>(position, moves);
}

MoveList legal_moves(const Position& position) {
  MoveList moves;
  generate_all(position, moves);
  return moves;
}

int count_legal_moves(const Position& position) {
  MoveCounter counter;
  visit<MoveSet::All>(position, counter);
  return static_cast<int>(counter.count);
}

bool has_legal_move(const Position& position) { return count_legal_moves(position) > 0; }

}  // namespace aleph::chess
