#include "data/formats/binpack_moves.h"

#include <fmt/format.h>

#include <bit>

#include "chess/legality.h"
#include "chess/uci_move.h"

namespace aleph::data {
namespace {

using chess::Bitboard, chess::CastlingSide, chess::Color, chess::Move, chess::MoveKind,
    chess::PieceType, chess::Position, chess::Square;

constexpr const char* kNoMoreBits = "the chain is longer than the chunk";

int bits_for(int choices) {
  return choices < 2 ? 0 : static_cast<int>(std::bit_width(static_cast<unsigned>(choices - 1)));
}

// A number below `choices`.
Result<int> take_choice(BitReader& bits, int choices) {
  if (choices == 0) return Error{"a piece is to move that has no square to go to"};
  const auto bits_taken = bits.take(bits_for(choices));
  if (!bits_taken) return Error{kNoMoreBits};
  const int choice = static_cast<int>(*bits_taken);
  if (choice >= choices)
    return Error{fmt::format("choice {} of {} does not exist", choice + 1, choices)};
  return choice;
}

Square nth_square(Bitboard set, int n) {
  for (int i = 0; i < n; ++i) set.pop_first();
  return set.first();
}

// Where a pawn could go if no king had to be kept safe.
Bitboard pawn_targets(const Position& position, Square from) {
  const Color us = position.side_to_move();
  Bitboard prey = position.pieces(~us);
  if (const auto square = position.en_passant()) prey |= *square;
  const Bitboard empty = ~position.occupied();
  const Bitboard once = forward(Bitboard(from), us) & empty;
  const Bitboard twice = forward(once & chess::relative_rank(us, 2), us) & empty;
  return once | twice | (pawn_attacks(Bitboard(from), us) & prey);
}

Result<Move> take_pawn_move(BitReader& bits, const Position& position, Square from) {
  const Bitboard targets = pawn_targets(position, from);
  const bool promotes = from.relative_rank(position.side_to_move()) == 6;
  constexpr int kPromotions = 4;  // knight, bishop, rook, queen
  const Result<int> choice = take_choice(bits, targets.count() * (promotes ? kPromotions : 1));
  if (!choice.ok()) return Error{choice.error()};
  if (promotes) {
    const auto type =
        static_cast<PieceType>(choice.value() % kPromotions + chess::index(PieceType::Knight));
    return Move(from, nth_square(targets, choice.value() / kPromotions),
                chess::promotion_kind(type));
  }
  const Square to = nth_square(targets, choice.value());
  return Move(from, to, position.en_passant() == to ? MoveKind::EnPassant : MoveKind::Normal);
}

// Castling comes after the king's steps, to the queen's side first. It counts as long as there is
// the right to it, possible or not.
Result<Move> take_king_move(BitReader& bits, const Position& position, Square from) {
  const Color us = position.side_to_move();
  const Bitboard steps = chess::king_attacks(from) & ~position.pieces(us);
  const bool queenside = position.castling().has(us, CastlingSide::Queen);
  const bool kingside = position.castling().has(us, CastlingSide::King);
  const int choices = steps.count() + (queenside ? 1 : 0) + (kingside ? 1 : 0);
  const Result<int> choice = take_choice(bits, choices);
  if (!choice.ok()) return Error{choice.error()};
  if (choice.value() < steps.count()) return Move(from, nth_square(steps, choice.value()));
  const bool is_first = choice.value() == steps.count();
  const auto side = is_first && queenside ? CastlingSide::Queen : CastlingSide::King;
  return Move(from, position.castling_geometry().rook(us, side), MoveKind::Castling);
}

Result<Move> take_piece_move(BitReader& bits, const Position& position, Square from) {
  const PieceType type = position.piece_on(from).type();
  if (type == PieceType::Pawn) return take_pawn_move(bits, position, from);
  if (type == PieceType::King) return take_king_move(bits, position, from);
  const Bitboard targets = chess::attacks_of(type, from, position.occupied()) &
                           ~position.pieces(position.side_to_move());
  const Result<int> choice = take_choice(bits, targets.count());
  if (!choice.ok()) return Error{choice.error()};
  return Move(from, nth_square(targets, choice.value()));
}

}  // namespace

Result<Move> take_binpack_move(BitReader& bits, const Position& position) {
  const Bitboard ours = position.pieces(position.side_to_move());
  const Result<int> piece = take_choice(bits, ours.count());
  if (!piece.ok()) return Error{piece.error()};
  Result<Move> move = take_piece_move(bits, position, nth_square(ours, piece.value()));
  if (move.ok() && !is_legal(position, move.value()))
    return Error{fmt::format("the move {} is illegal", to_uci(move.value(), position))};
  return move;
}

// Blocks of four bits, the lowest first, each behind a bit that says whether another one follows.
Result<int> take_binpack_score_difference(BitReader& bits) {
  constexpr int kBlock = 4, kMostBits = 16;
  unsigned folded = 0;
  for (int shift = 0; shift < kMostBits; shift += kBlock) {
    const auto block = bits.take(1 + kBlock);
    if (!block) return Error{kNoMoreBits};
    folded |= (*block & 15) << shift;
    if (*block >> kBlock == 0) return unfold_sign(static_cast<std::uint16_t>(folded));
  }
  return Error{"a score has more than 16 bits"};
}

}  // namespace aleph::data
