#include "chess/outcome.h"

#include "chess/movegen.h"

namespace aleph::chess {

std::string_view describe(EndReason reason) {
  switch (reason) {
    case EndReason::Checkmate: return "checkmate";
    case EndReason::Stalemate: return "stalemate";
    case EndReason::InsufficientMaterial: return "insufficient material";
    case EndReason::FiftyMoves: return "fifty-move rule";
    case EndReason::ThreefoldRepetition: return "threefold repetition";
  }
  return "";
}

bool is_insufficient_material(const Board& board) {
  if ((board.pieces(PieceType::Pawn) | board.straight_sliders()).any()) return false;
  const Bitboard knights = board.pieces(PieceType::Knight),
                 bishops = board.pieces(PieceType::Bishop);
  if (knights.any()) return bishops.empty() && !knights.several();
  return (bishops & kLightSquares).empty() || (bishops & kDarkSquares).empty();
}

bool is_fifty_move_draw(const Position& position) {
  if (position.halfmove_clock() < 100) return false;
  return !position.in_check() || has_legal_move(position);
}

std::optional<Outcome> outcome(const Position& position) {
  if (!has_legal_move(position)) {
    if (position.in_check()) return Outcome{~position.side_to_move(), EndReason::Checkmate};
    return Outcome{std::nullopt, EndReason::Stalemate};
  }
  if (is_insufficient_material(position.board()))
    return Outcome{std::nullopt, EndReason::InsufficientMaterial};
  if (position.halfmove_clock() >= 100) return Outcome{std::nullopt, EndReason::FiftyMoves};
  if (position.is_repetition()) return Outcome{std::nullopt, EndReason::ThreefoldRepetition};
  return std::nullopt;
}

}  // namespace aleph::chess
