// Which piece stands where, and nothing else: what every input feature is made from.
// One cache line, so that a stack of accumulators can remember the board each of them belongs to.
#pragma once

#include <array>
#include <cassert>

#include "chess/attacks.h"
#include "chess/board.h"

namespace aleph::nnue {

struct alignas(64) Placement {
  std::array<chess::Bitboard, chess::kPieceTypes> by_type{};
  std::array<chess::Bitboard, chess::kColors> by_color{};

  static Placement of(const chess::Board& board) { return {board.by_type(), board.by_color()}; }

  chess::Bitboard pieces(chess::PieceType type) const { return by_type[index(type)]; }
  chess::Bitboard pieces(chess::Color color) const { return by_color[index(color)]; }
  chess::Bitboard pieces(chess::Color color, chess::PieceType type) const {
    return pieces(color) & pieces(type);
  }
  chess::Bitboard pieces(chess::Piece piece) const { return pieces(piece.color(), piece.type()); }
  chess::Bitboard occupied() const { return by_color[0] | by_color[1]; }
  chess::Square king(chess::Color color) const {
    return pieces(color, chess::PieceType::King).first();
  }

  // The square must not be empty. Puts the number together bit by bit: no branch to guess wrong.
  chess::Piece piece_on(chess::Square square) const {
    assert(occupied().has(square));
    static_assert(chess::index(chess::PieceType::King) == 5);
    const auto bit = [square](chess::Bitboard set) { return static_cast<int>(set.has(square)); };
    return chess::Piece::from_index(
        bit(by_color[1]) | bit(by_type[1] | by_type[3] | by_type[5]) << 1 |
        bit(by_type[2] | by_type[3]) << 2 | bit(by_type[4] | by_type[5]) << 3);
  }

  friend bool operator==(const Placement&, const Placement&) = default;
};

static_assert(sizeof(Placement) == 64);

// Squares on which the two do not have the same piece.
inline chess::Bitboard changed_squares(const Placement& a, const Placement& b) {
  chess::Bitboard changed = a.by_color[0] ^ b.by_color[0];
  changed |= a.by_color[1] ^ b.by_color[1];
  for (int i = 0; i < chess::kPieceTypes; ++i) changed |= a.by_type[i] ^ b.by_type[i];
  return changed;
}

}  // namespace aleph::nnue
