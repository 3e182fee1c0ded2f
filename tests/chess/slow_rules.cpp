#include "slow_rules.h"

#include <array>
#include <cstdlib>

namespace aleph::test {

using namespace chess;

namespace {

struct Step {
  int file, rank;
};
constexpr std::array<Step, 8> kKnight{
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};
constexpr std::array<Step, 8> kAround{
    {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};

std::optional<Square> step_from(Square square, Step step, int times = 1) {
  const int file = square.file() + times * step.file, rank = square.rank() + times * step.rank;
  if (file < 0 || file > 7 || rank < 0 || rank > 7) return std::nullopt;
  return Square::at(file, rank);
}

std::optional<Piece>& at(Setup& setup, Square square) {
  return setup.pieces[static_cast<std::size_t>(square.index())];
}
const std::optional<Piece>& at(const Setup& setup, Square square) {
  return setup.pieces[static_cast<std::size_t>(square.index())];
}

int up(Color color) { return color == Color::White ? 1 : -1; }
int last_rank(Color color) { return color == Color::White ? 7 : 0; }

// How many of kAround a slider uses: straight ones are the first four, diagonal ones the others.
bool slides(PieceType type, Step step) {
  const bool straight = step.file == 0 || step.rank == 0;
  return type == PieceType::Queen || type == (straight ? PieceType::Rook : PieceType::Bishop);
}

// Squares a piece attacks.
std::vector<Square> attacked_from(const Setup& setup, Square from, Piece piece) {
  std::vector<Square> squares;
  const auto add = [&](std::optional<Square> square) {
    if (square) squares.push_back(*square);
    return square && !at(setup, *square);
  };
  switch (piece.type()) {
    case PieceType::Pawn:
      for (const int side : {-1, 1}) add(step_from(from, {side, up(piece.color())}));
      break;
    case PieceType::Knight:
      for (const Step step : kKnight) add(step_from(from, step));
      break;
    case PieceType::King:
      for (const Step step : kAround) add(step_from(from, step));
      break;
    default:
      for (const Step step : kAround)
        if (slides(piece.type(), step))
          for (int times = 1; add(step_from(from, step, times)); ++times) {
          }
  }
  return squares;
}

bool is_attacked(const Setup& setup, Square target, Color by) {
  for (const Step step : kKnight) {
    const auto square = step_from(target, step);
    if (square && at(setup, *square) == Piece(by, PieceType::Knight)) return true;
  }
  for (const int side : {-1, 1}) {
    const auto square = step_from(target, {side, -up(by)});
    if (square && at(setup, *square) == Piece(by, PieceType::Pawn)) return true;
  }
  for (const Step step : kAround)
    for (int times = 1; const auto square = step_from(target, step, times); ++times) {
      const auto piece = at(setup, *square);
      if (!piece) continue;
      const bool reaches =
          slides(piece->type(), step) || (times == 1 && piece->type() == PieceType::King);
      if (piece->color() == by && reaches) return true;
      break;
    }
  return false;
}

Square king_of(const Setup& setup, Color color) {
  for (int i = 0; i < 64; ++i)
    if (setup.pieces[static_cast<std::size_t>(i)] == Piece(color, PieceType::King))
      return Square::from_index(i);
  std::abort();
}

void add_pawn_move(std::vector<Move>& moves, Square from, Square to, Color us) {
  if (to.rank() != last_rank(us)) {
    moves.push_back(Move(from, to));
    return;
  }
  for (const PieceType type :
       {PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen})
    moves.push_back(Move(from, to, promotion_kind(type)));
}

void add_pawn_moves(const Setup& setup, Square from, Color us, std::vector<Move>& moves) {
  const auto one = step_from(from, {0, up(us)});
  if (one && !at(setup, *one)) {
    add_pawn_move(moves, from, *one, us);
    const auto two = step_from(from, {0, up(us)}, 2);
    const bool at_home = from.rank() == (us == Color::White ? 1 : 6);
    if (at_home && !at(setup, *two)) moves.push_back(Move(from, *two));
  }
  for (const Square to : attacked_from(setup, from, Piece(us, PieceType::Pawn))) {
    if (at(setup, to) && at(setup, to)->color() != us) add_pawn_move(moves, from, to, us);
    if (setup.en_passant == to) moves.push_back(Move(from, to, MoveKind::EnPassant));
  }
}

// FIDE's Chess960 rule, word for word: all squares between king and rook and their destinations
// must be vacant but for those two; no square the king stands on or passes may be attacked.
void add_castling(const Setup& setup, Color us, std::vector<Move>& moves) {
  for (const CastlingSide side : kCastlingSides) {
    const auto rook = setup.castling_rooks[static_cast<std::size_t>(castling_index(us, side))];
    if (!rook) continue;
    const Square king = king_of(setup, us);
    const Square king_to = castled_king_square(us, side), rook_to = castled_rook_square(us, side);
    Setup without = setup;  // king and rook lifted off the board
    at(without, king) = at(without, *rook) = std::nullopt;
    bool possible = true;
    const auto each = [&](Square a, Square b, auto check) {
      for (int file = std::min(a.file(), b.file()); file <= std::max(a.file(), b.file()); ++file)
        possible = possible && check(Square::at(file, a.rank()));
    };
    each(king, king_to, [&](Square s) { return !at(without, s); });
    each(*rook, rook_to, [&](Square s) { return !at(without, s); });
    each(king, king_to, [&](Square s) { return !is_attacked(setup, s, ~us); });
    const Move move(king, *rook, MoveKind::Castling);
    if (possible) moves.push_back(move);
  }
}

}  // namespace

Setup slow_make(const Setup& setup, Move move) {
  Setup next = setup;
  const Color us = setup.side_to_move;
  const Piece mover = *at(setup, move.from());
  const bool captures = !move.is_castling() && (at(setup, move.to()) || move.is_en_passant());
  next.en_passant.reset();
  at(next, move.from()) = std::nullopt;
  if (move.is_castling()) {
    const auto side =
        move.to().file() > move.from().file() ? CastlingSide::King : CastlingSide::Queen;
    at(next, move.to()) = std::nullopt;
    at(next, castled_king_square(us, side)) = mover;
    at(next, castled_rook_square(us, side)) = Piece(us, PieceType::Rook);
  } else {
    at(next, move.to()) = move.is_promotion() ? Piece(us, move.promotion()) : mover;
    if (move.is_en_passant()) at(next, Square::at(move.to().file(), move.from().rank())).reset();
  }
  const bool pawn = mover.type() == PieceType::Pawn;
  if (pawn && std::abs(move.to().rank() - move.from().rank()) == 2)
    next.en_passant = Square::at(move.to().file(), (move.to().rank() + move.from().rank()) / 2);
  for (auto& rook : next.castling_rooks)
    if (rook == move.from() || rook == move.to()) rook.reset();
  if (mover.type() == PieceType::King)
    for (const CastlingSide side : kCastlingSides)
      next.castling_rooks[static_cast<std::size_t>(castling_index(us, side))].reset();
  next.halfmove_clock = pawn || captures ? 0 : setup.halfmove_clock + 1;
  if (us == Color::Black) ++next.fullmove_number;
  next.side_to_move = ~us;
  return next;
}

bool slow_in_check(const Setup& setup) {
  return is_attacked(setup, king_of(setup, setup.side_to_move), ~setup.side_to_move);
}

std::vector<Move> slow_legal_moves(const Setup& setup) {
  const Color us = setup.side_to_move;
  std::vector<Move> tries, legal;
  for (int i = 0; i < 64; ++i) {
    const Square from = Square::from_index(i);
    const auto piece = at(setup, from);
    if (!piece || piece->color() != us) continue;
    if (piece->type() == PieceType::Pawn) {
      add_pawn_moves(setup, from, us, tries);
      continue;
    }
    for (const Square to : attacked_from(setup, from, *piece))
      if (!at(setup, to) || at(setup, to)->color() != us) tries.push_back(Move(from, to));
  }
  add_castling(setup, us, tries);
  for (const Move move : tries) {
    const Setup next = slow_make(setup, move);
    if (!is_attacked(next, king_of(next, us), ~us)) legal.push_back(move);
  }
  return legal;
}

}  // namespace aleph::test
