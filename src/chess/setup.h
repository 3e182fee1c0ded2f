// A placement of pieces with side, rights and clocks, not necessarily legal: what a FEN says, or
// what a person has put on a board so far. Position::from turns it into a position, or says why
// not.
#pragma once

#include <array>
#include <optional>

#include "base/result.h"
#include "chess/castling.h"
#include "chess/piece.h"
#include "chess/square.h"

namespace aleph::chess {

struct Setup {
  std::array<std::optional<Piece>, 64> pieces{};
  Color side_to_move = Color::White;
  // By castling_index(color, side): the rook that may still castle.
  std::array<std::optional<Square>, 4> castling_rooks{};
  std::optional<Square> en_passant;
  int halfmove_clock = 0;  // plies since a pawn moved or a piece was taken
  int fullmove_number = 1;

  static Setup starting();

  std::optional<Square> king(Color color) const;  // the first one found

  friend bool operator==(const Setup&, const Setup&) = default;
};

// Checks what the rules of chess demand of a position; the error names the field (pieces, side to
// move, castling, en passant, halfmove clock, fullmove number) and the reason.
Status validate(const Setup& setup);

}  // namespace aleph::chess
