#include "nets/encode/move_map.h"

#include <cassert>

#include "chess/movegen.h"
#include "nets/encode/from_to.h"
#include "nets/encode/leela_history.h"
#include "nets/encode/policy1858.h"
#include "nets/encode/policy4352.h"

namespace aleph::nets {

using chess::Move;
using chess::PieceType;
using chess::Position;
using chess::Square;

namespace {

constexpr int kFromToMarginals = 128;

std::optional<PieceType> promotion_of(Move move) {
  if (!move.is_promotion()) return std::nullopt;
  return move.promotion();
}

// Squares that places name, as the network sees them, and the piece if they tell it.
struct Named {
  Square from, to;
  std::optional<PieceType> promotion;
};

std::optional<Named> named_by(HeadKind kind, int outputs, const LogitPlaces& places) {
  if (places.place < 0 || places.place >= outputs) return std::nullopt;
  switch (kind) {
    case HeadKind::Policy1858: {
      const auto [from, to, promotion] = policy1858_move(places.place);
      return Named{from, to, promotion};
    }
    case HeadKind::Policy4352: {
      const auto [from, to, promotion] = policy4352_move(places.place);
      return Named{from, to, promotion};
    }
    default: break;
  }
  std::optional<PieceType> promotion;
  if (places.promotion >= kPromotions) return std::nullopt;
  if (places.promotion >= 0) promotion = promotion_type(places.promotion);
  if (kind != HeadKind::FromTo)
    return Named{Square::from_index(places.place / 64), Square::from_index(places.place % 64),
                 promotion};
  if (places.place >= 64 || places.second < 64 || places.second >= kFromToMarginals)
    return std::nullopt;
  return Named{Square::from_index(places.place), Square::from_index(places.second - 64), promotion};
}

}  // namespace

Result<MoveMap> MoveMap::make(HeadKind kind, const InputSpec& input, Transposition transposition) {
  if (!is_policy(kind)) return Error{"move map: this head does not answer moves"};
  return MoveMap(kind, input, transposition);
}

// Leela's and Maia's inputs are always flipped, whatever the description says.
MoveMap::MoveMap(HeadKind kind, const InputSpec& input, Transposition transposition)
    : kind_(kind),
      normalization_(input.kind == InputKind::Planes112 || input.kind == InputKind::Boards96
                         ? Normalization::Flip
                         : input.normalization),
      canonical_(input.kind == InputKind::Planes112 && is_canonical_format(input.format)),
      transposition_(transposition) {}

int MoveMap::outputs() const {
  switch (kind_) {
    case HeadKind::FromTo: return kFromToMarginals;
    case HeadKind::Policy1858: return kPolicy1858;
    case HeadKind::Policy4352: return kPolicy4352;
    default: return kFromTo;
  }
}

MoveMap::At::At(const MoveMap& map, const Position& position) : map_(map), position_(position) {
  if (map.canonical_) symmetry_ = LeelaSymmetry::of(position.board());
}

Square MoveMap::At::seen(Square square) const {
  const Square own = normalized(square, position_.side_to_move(), map_.normalization_);
  return map_.transposition_ == Transposition::Right ? symmetry_(own) : symmetry_.as_lc0_errs(own);
}

// Both normalisations, and Lc0's erring symmetry, undo themselves.
Square MoveMap::At::unseen(Square square) const {
  const Square own = map_.transposition_ == Transposition::Right ? symmetry_.undone(square)
                                                                 : symmetry_.as_lc0_errs(square);
  return normalized(own, position_.side_to_move(), map_.normalization_);
}

LogitPlaces MoveMap::At::places(Move move) const {
  const auto promotion = promotion_of(move);
  if (map_.kind_ == HeadKind::Policy1858) {
    const auto index = policy1858_index(seen(move.from()), seen(move.to()), promotion);
    assert(index && "every legal move has a number");
    return {.place = *index};
  }
  const FromTo squares = FromTo::of(move, position_.is_chess960());
  const Square from = seen(squares.from), to = seen(squares.to);
  if (map_.kind_ == HeadKind::Policy4352) return {.place = policy4352_index(from, to, promotion)};
  const int piece = promotion ? promotion_id(*promotion) : -1;
  if (map_.kind_ == HeadKind::FromTo) return {from.index(), 64 + to.index(), piece};
  return {.place = from.index() * 64 + to.index(), .promotion = piece};
}

std::optional<Move> MoveMap::move(const Position& position, const LogitPlaces& places) const {
  const auto named = named_by(kind_, outputs(), places);
  if (!named) return std::nullopt;
  const At here = at(position);
  const Square from = here.unseen(named->from), to = here.unseen(named->to);
  const bool onto_rook = kind_ == HeadKind::Policy1858 || position.is_chess960();
  chess::MoveList moves;
  chess::generate_all(position, moves);
  for (const Move move : moves) {
    const FromTo squares = FromTo::of(move, onto_rook);
    if (squares.from != from || squares.to != to) continue;
    // Leela's plain moves are promotions to a knight if they are any.
    const bool plain_knight = kind_ == HeadKind::Policy1858 && move.is_promotion() &&
                              move.promotion() == PieceType::Knight;
    if (plain_knight ? !named->promotion : promotion_of(move) == named->promotion) return move;
  }
  return std::nullopt;
}

int policy_index(HeadKind kind, const Position& position, Move move, const InputSpec& input) {
  assert(is_policy(kind) && kind != HeadKind::FromTo);
  const MoveMap map = MoveMap::make(kind, input).take();
  return map.at(position).places(move).place;
}

}  // namespace aleph::nets
