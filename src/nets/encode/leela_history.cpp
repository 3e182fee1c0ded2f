#include "nets/encode/leela_history.h"

#include <algorithm>

namespace aleph::nets {

using chess::Bitboard;
using chess::Board;
using chess::Color;
using chess::Move;
using chess::Piece;
using chess::PieceType;
using chess::Position;
using chess::Square;

namespace {

bool is_start(const Board& board) {
  static const Board start = Position().board();
  return board == start;
}

// Whether the place of a position before the first known one is filled with that one. `steps`: how
// far before it.
bool is_filled(HistoryFill fill, const Board& first, bool en_passant, int steps) {
  switch (fill) {
    case HistoryFill::No:
      return steps == 1 && en_passant;  // the double step is known to have been made
    case HistoryFill::FenOnly: return !is_start(first);
    case HistoryFill::Always: return true;
  }
  return false;
}

// The pawn that has just passed `passed` goes back to where it came from.
void undo_double_step(Board& board, Square passed) {
  const Color us = board.side_to_move();
  board.shift(Piece(~us, PieceType::Pawn), backward_of(passed, us), forward_of(passed, us));
}

}  // namespace

std::optional<Square> leela_en_passant(const Position::Past& past) {
  const Board& board = past.board;
  if (!past.last_move) return board.en_passant();
  const Square from = past.last_move->from(), to = past.last_move->to();
  const Color us = board.side_to_move();
  if ((from.index() ^ to.index()) != 16) return std::nullopt;
  if (!board.pieces(~us, PieceType::Pawn).has(to)) return std::nullopt;
  const Square passed = Square::from_index((from.index() + to.index()) / 2);
  const Bitboard takers =
      chess::pawn_attacks(Bitboard(passed), ~us) & board.pieces(us, PieceType::Pawn);
  if (takers.empty()) return std::nullopt;
  return passed;
}

LeelaHistory LeelaHistory::of(const Position& position, int format, HistoryFill fill,
                              bool earlier_positions) {
  const bool canonical = is_canonical_format(format);
  const int oldest = earlier_positions ? static_cast<int>(position.history_size()) : 0;
  LeelaHistory history;
  for (int plies = 0; history.count_ < history.shown_.size(); ++plies) {
    const int known = std::min(plies, oldest);
    const bool made_up = plies > oldest;
    const Position::Past past = position.ago(known);
    const auto passed = leela_en_passant(past);
    // What was before a lost right or a double step cannot come back, so it does not matter.
    if (canonical && past.board.castling() != position.castling()) break;
    if (canonical && plies > 0 && passed) break;
    if (made_up && !is_filled(fill, past.board, passed.has_value(), plies - oldest)) break;
    const bool repeated = earlier_positions && position.earlier_occurrences(known) > 0;
    if (shows_only_repetitions(format) && plies > 0 && !repeated) {
      // Lc0 asks only for the clock, and never ends if the first known position has a later one.
      if (past.halfmove_clock == 0 || made_up) break;
      continue;
    }
    Shown& shown = history.shown_[history.count_++];
    shown = {past.board, past.key, repeated, made_up};
    if (made_up && passed) undo_double_step(shown.board, *passed);
    if (canonical && past.halfmove_clock == 0) break;
  }
  return history;
}

}  // namespace aleph::nets
