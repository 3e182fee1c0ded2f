// How many pieces of each kind a side has: what known endings are recognised by.
#pragma once

#include "eval/classical/geometry.h"

namespace aleph::eval::classical {

struct Army {
  int pawns = 0, knights = 0, bishops = 0, rooks = 0, queens = 0;

  static Army of(const Position& position, Color color) {
    using enum PieceType;
    const auto count = [&](PieceType type) { return position.pieces(color, type).count(); };
    return {count(Pawn), count(Knight), count(Bishop), count(Rook), count(Queen)};
  }
  constexpr bool has_pieces() const { return knights + bishops + rooks + queens != 0; }
  friend constexpr bool operator==(const Army&, const Army&) = default;
};

// An ending seen from the side that tries to win.
struct Ending {
  const Position& position;
  Color strong, weak;

  Ending(const Position& where, Color attacker)
      : position(where), strong(attacker), weak(~attacker) {}

  bool strong_to_move() const { return position.side_to_move() == strong; }
  Square strong_king() const { return position.king(strong); }
  Square weak_king() const { return position.king(weak); }
  // The only piece of its kind, or the first.
  Square strong_piece(PieceType type) const { return position.pieces(strong, type).first(); }
  Square weak_piece(PieceType type) const { return position.pieces(weak, type).first(); }

  // The square as it would be if the strong side were White and its only pawn on files a to d.
  Square normalised(Square square) const {
    const Square seen = square.relative_to(strong);
    return strong_piece(PieceType::Pawn).file() < 4 ? seen : seen.flopped();
  }
};

}  // namespace aleph::eval::classical
