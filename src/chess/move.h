// A move in 16 bits: destination 0-5, origin 6-11, kind 12-15.
// Castling is stored as "king takes own rook", so that Chess960 is not a second code path; it is
// written e1g1 or e1h1 only when printed.
// All zeroes (a1a1) can never be legal, so it means "no move".
#pragma once

#include <cassert>
#include <cstdint>

#include "chess/piece.h"
#include "chess/square.h"

namespace aleph::chess {

enum class MoveKind : std::uint8_t {
  Normal,  // quiet moves, captures, double steps
  EnPassant,
  Castling,
  PromoteKnight = 4,  // the low two bits + Knight are the piece promoted to
  PromoteBishop,
  PromoteRook,
  PromoteQueen,
};

constexpr MoveKind promotion_kind(PieceType type) {
  assert(type >= PieceType::Knight && type <= PieceType::Queen);
  return static_cast<MoveKind>(4 + index(type) - index(PieceType::Knight));
}

class Move {
 public:
  constexpr Move() = default;
  constexpr Move(Square from, Square to, MoveKind kind = MoveKind::Normal)
      : bits_(static_cast<std::uint16_t>(static_cast<int>(kind) << 12 | from.index() << 6 |
                                         to.index())) {}
  // Any 16 bits, as they come from a table: check before use (see legality.h).
  static constexpr Move from_bits(std::uint16_t bits) {
    Move move;
    move.bits_ = bits;
    return move;
  }

  constexpr std::uint16_t bits() const { return bits_; }
  constexpr Square from() const { return Square::from_index(bits_ >> 6 & 63); }
  constexpr Square to() const { return Square::from_index(bits_ & 63); }
  constexpr MoveKind kind() const { return static_cast<MoveKind>(bits_ >> 12); }

  constexpr bool is_castling() const { return kind() == MoveKind::Castling; }
  constexpr bool is_en_passant() const { return kind() == MoveKind::EnPassant; }
  constexpr bool is_promotion() const { return (bits_ & 0x4000) != 0; }
  constexpr PieceType promotion() const {
    assert(is_promotion());
    return static_cast<PieceType>((bits_ >> 12 & 3) + index(PieceType::Knight));
  }

  explicit constexpr operator bool() const { return bits_ != 0; }
  friend constexpr bool operator==(Move, Move) = default;

 private:
  std::uint16_t bits_ = 0;
};

static_assert(sizeof(Move) == 2);

}  // namespace aleph::chess
