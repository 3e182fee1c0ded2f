#include "chess/uci_move.h"

#include <fmt/format.h>

#include "base/text.h"
#include "chess/legality.h"
#include "chess/names.h"
#include "chess/position.h"

namespace aleph::chess {

namespace {

struct UciText {
  Square from, to;
  std::optional<PieceType> promotion;
};

Result<UciText> parse_shape(std::string_view text) {
  const auto from = parse_square(text.substr(0, 2));
  const auto to = text.size() < 4 ? std::nullopt : parse_square(text.substr(2, 2));
  if (text == "0000") return Error{"'0000' is the null move, which is not legal"};
  if (!from || !to || text.size() > 5)
    return Error{fmt::format("{} is not a move like e2e4 or e7e8q", quoted(text))};
  UciText shape{*from, *to, std::nullopt};
  if (text.size() == 5) {
    shape.promotion = promotion_of(text[4]);
    if (!shape.promotion)
      return Error{fmt::format("{} is not a move: a pawn becomes q, r, b or n, not {}",
                               quoted(text), quoted(text.substr(4)))};
  }
  return shape;
}

// The castling that "king goes there" might mean, legal or not.
std::optional<Move> castling_onto(const Position& position, Square to) {
  const Color us = position.side_to_move();
  for (const CastlingSide side : kCastlingSides)
    if (position.castling().has(us, side) && castled_king_square(us, side) == to)
      return Move(position.king(us), position.castling_geometry().rook(us, side),
                  MoveKind::Castling);
  return std::nullopt;
}

bool takes_own_castling_rook(const Position& position, Square to) {
  const Color us = position.side_to_move();
  for (const CastlingSide side : kCastlingSides)
    if (position.castling().has(us, side) && position.castling_geometry().rook(us, side) == to)
      return true;
  return false;
}

// King takes rook always means castling. King to g1 or c1 means it only if the king could not
// simply step there, which in Chess960 it often can.
Move king_move(const Position& position, Square from, Square to) {
  if (takes_own_castling_rook(position, to)) return Move(from, to, MoveKind::Castling);
  const Move step(from, to);
  if (from == to || is_legal(position, step)) return step;
  return castling_onto(position, to).value_or(step);
}

Move pawn_move(const Position& position, const UciText& shape) {
  if (shape.promotion) return Move(shape.from, shape.to, promotion_kind(*shape.promotion));
  const bool en_passant = position.en_passant() == shape.to && shape.from.file() != shape.to.file();
  return Move(shape.from, shape.to, en_passant ? MoveKind::EnPassant : MoveKind::Normal);
}

Error illegal(std::string_view text, const Position& position, Move move) {
  if (move.is_castling())
    return Error{fmt::format("{} is illegal: the king cannot castle now", quoted(text))};
  if (is_pseudo_legal(position, move))
    return Error{fmt::format("{} is illegal: it leaves the king in check", quoted(text))};
  return Error{fmt::format("{} is illegal: the {} on {} cannot go to {}", quoted(text),
                           name_of(position.piece_on(move.from()).type()), square_name(move.from()),
                           square_name(move.to()))};
}

}  // namespace

std::string square_name(Square square) {
  return {static_cast<char>('a' + square.file()), static_cast<char>('1' + square.rank())};
}

std::optional<Square> parse_square(std::string_view name) {
  if (name.size() != 2) return std::nullopt;
  const int file = name[0] - 'a', rank = name[1] - '1';
  if (file < 0 || file > 7 || rank < 0 || rank > 7) return std::nullopt;
  return Square::at(file, rank);
}

std::string to_uci(Move move, const Position& position) {
  if (!move) return "0000";
  Square to = move.to();
  if (move.is_castling() && !position.is_chess960()) {
    const auto side = to.file() > move.from().file() ? CastlingSide::King : CastlingSide::Queen;
    to = castled_king_square(position.side_to_move(), side);
  }
  std::string text = square_name(move.from()) + square_name(to);
  if (move.is_promotion()) text += lower_letter_of(move.promotion());
  return text;
}

Result<Move> parse_uci_move(std::string_view text, const Position& position) {
  const Result<UciText> parsed = parse_shape(text);
  if (!parsed.ok()) return Error{parsed.error()};
  const UciText& shape = parsed.value();
  const Color us = position.side_to_move();
  const auto mover = position.piece_at(shape.from);
  if (!mover)
    return Error{
        fmt::format("{} is illegal: no piece on {}", quoted(text), square_name(shape.from))};
  if (mover->color() != us)
    return Error{fmt::format("{} is illegal: the {} on {} is not {}'s, who is to move",
                             quoted(text), name_of(mover->type()), square_name(shape.from),
                             name_of(us))};

  const bool is_pawn = mover->type() == PieceType::Pawn;
  const bool promotes = is_pawn && shape.to.relative_rank(us) == 7;
  if (shape.promotion && !promotes)
    return Error{fmt::format("{} is illegal: no pawn promotes by this move", quoted(text))};
  const Move move = is_pawn                            ? pawn_move(position, shape)
                    : mover->type() == PieceType::King ? king_move(position, shape.from, shape.to)
                                                       : Move(shape.from, shape.to);
  if (promotes && !shape.promotion) {
    const Move to_queen(shape.from, shape.to, MoveKind::PromoteQueen);
    if (!is_legal(position, to_queen)) return illegal(text, position, to_queen);
    return Error{
        fmt::format("{} must say which piece the pawn becomes, as in {}q", quoted(text), text)};
  }
  if (!is_legal(position, move)) return illegal(text, position, move);
  return move;
}

}  // namespace aleph::chess
