#include "chess/see.h"

#include <algorithm>
#include <optional>

#include "chess/attacks.h"

namespace aleph::chess {

Pins Pins::of(const Position& position, Color color) {
  const Board& board = position.board();
  const Square king = position.king(color);
  const Bitboard snipers = ((bishop_attacks(king, Bitboard()) & board.diagonal_sliders()) |
                            (rook_attacks(king, Bitboard()) & board.straight_sliders())) &
                           position.pieces(~color);
  Pins pins;
  for (const Square sniper : snipers) {
    const Bitboard blockers = between(king, sniper) & position.occupied();
    if (blockers.any() && !blockers.several() && (blockers & position.pieces(color)).any()) {
      pins.pinned |= blockers;
      pins.pinners |= sniper;
    }
  }
  return pins;
}

namespace {

struct FirstMove {
  int gain;           // what the move itself wins
  int at_stake;       // what stands on the target afterwards
  Bitboard occupied;  // after the move
};

FirstMove play_first(const Position& position, Move move) {
  const PieceType mover = position.piece_on(move.from()).type();
  FirstMove first{0, see_value(mover), (position.occupied() ^ move.from()) | move.to()};
  if (const auto captured = position.captured_by(move)) first.gain = see_value(captured->type());
  if (move.is_en_passant()) first.occupied ^= backward_of(move.to(), position.side_to_move());
  if (move.is_promotion()) {
    first.at_stake = see_value(move.promotion());
    first.gain += first.at_stake - see_value(PieceType::Pawn);
  }
  return first;
}

// The next piece to take on `target`: the cheapest that may, kings only where nothing takes them
// back.
struct Taker {
  Square from;
  PieceType type;
};

std::optional<Taker> next_taker(const Position& position, Color side, Bitboard attackers,
                                Bitboard occupied, const Pins& pins) {
  Bitboard own = attackers & position.pieces(side);
  if ((pins.pinners & occupied).any()) own &= ~pins.pinned;
  for (const PieceType type : kAllPieceTypes) {
    const Bitboard of_type = own & position.pieces(type);
    if (of_type.empty()) continue;
    const bool defended = (attackers & position.pieces(~side)).any();
    if (type == PieceType::King && defended) return std::nullopt;
    return Taker{of_type.first(), type};
  }
  return std::nullopt;
}

// Sliders that see the target once the taker has left its square. A knight stands on no line to it,
// and after a king nothing takes.
Bitboard uncovered_by(PieceType taker, const Board& board, Square target, Bitboard occupied) {
  using enum PieceType;
  Bitboard sliders;
  if (taker == Pawn || taker == Bishop || taker == Queen)
    sliders |= bishop_attacks(target, occupied) & board.diagonal_sliders();
  if (taker == Rook || taker == Queen)
    sliders |= rook_attacks(target, occupied) & board.straight_sliders();
  return sliders & ~Bitboard(target);
}

int worth_of_taking(const Position& position, Color side, Square target, int at_stake,
                    Bitboard occupied) {
  const Bitboard attackers = position.board().attackers_to(target, occupied) & occupied;
  const auto taker =
      next_taker(position, side, attackers & ~Bitboard(target), occupied, Pins::of(position, side));
  if (!taker) return 0;
  const int answer = worth_of_taking(position, ~side, target, see_value(taker->type),
                                     occupied ^ Bitboard(taker->from));
  return std::max(0, at_stake - answer);
}

}  // namespace

// With a threshold the exchange has only two outcomes, so each side's choice is simple: if it is
// winning it stops; if not it must take, and if that does not turn the tables nothing will.
bool see_at_least(const Position& position, Move move, int threshold, PinsOfBothSides& pins) {
  if (move.is_castling()) return threshold <= 0;
  const FirstMove first = play_first(position, move);
  int score = first.gain - threshold;  // for the side that began, if the exchange stopped here
  if (score < 0) return false;
  if (score >= first.at_stake) return true;  // even losing the piece would be enough

  const Board& board = position.board();
  const Square target = move.to();
  const Color mover = position.side_to_move();
  Bitboard occupied = first.occupied;
  Bitboard attackers = board.attackers_to(target, occupied) & ~Bitboard(target);
  int at_stake = first.at_stake;

  for (Color side = ~mover;; side = ~side) {
    attackers &= occupied;  // the takers so far are gone
    if ((attackers & position.pieces(side)).empty()) break;
    const Pins& known = pins.of(position, side);  // most exchanges end before both are needed
    const auto taker = next_taker(position, side, attackers, occupied, known);
    if (!taker) break;
    score += side == mover ? at_stake : -at_stake;
    const bool mover_wins = score >= 0;
    if (mover_wins != (side == mover)) break;
    at_stake = see_value(taker->type);
    occupied ^= taker->from;
    attackers |= uncovered_by(taker->type, board, target, occupied);
  }
  return score >= 0;
}

int see_by_playing_out(const Position& position, Move move) {
  if (move.is_castling()) return 0;
  const FirstMove first = play_first(position, move);
  return first.gain - worth_of_taking(position, ~position.side_to_move(), move.to(), first.at_stake,
                                      first.occupied);
}

}  // namespace aleph::chess
