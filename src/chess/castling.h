// Castling rights and their geometry, for any placement of king and rooks (Chess960).
//
// The rights change during a game; the geometry (where king and rooks started, which squares must
// be empty or safe) does not. Rights are four bits; the geometry is made once per game.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "chess/attacks.h"
#include "chess/bitboard.h"

namespace aleph::chess {

enum class CastlingSide : std::uint8_t { King, Queen };

inline constexpr std::array kCastlingSides{CastlingSide::King, CastlingSide::Queen};

constexpr int index(CastlingSide side) { return static_cast<int>(side); }
constexpr int castling_index(Color color, CastlingSide side) {
  return index(color) * 2 + index(side);
}

class CastlingRights {
 public:
  constexpr CastlingRights() = default;
  static constexpr CastlingRights from_bits(std::uint8_t bits) {
    CastlingRights rights;
    rights.bits_ = bits & 15;
    return rights;
  }
  static constexpr CastlingRights of(Color color, CastlingSide side) {
    return from_bits(static_cast<std::uint8_t>(1 << castling_index(color, side)));
  }
  static constexpr CastlingRights both_of(Color color) {
    return from_bits(color == Color::White ? 3 : 12);
  }

  constexpr bool any() const { return bits_ != 0; }
  constexpr bool has(Color color, CastlingSide side) const {
    return (bits_ >> castling_index(color, side) & 1) != 0;
  }
  constexpr bool any_of(Color color) const { return (bits_ & both_of(color).bits_) != 0; }
  constexpr std::uint8_t bits() const { return bits_; }

  constexpr void add(CastlingRights other) { bits_ |= other.bits_; }
  constexpr void remove(CastlingRights other) { bits_ &= static_cast<std::uint8_t>(~other.bits_); }

  friend constexpr bool operator==(CastlingRights, CastlingRights) = default;

 private:
  std::uint8_t bits_ = 0;  // bit castling_index(color, side)
};

constexpr Square castled_king_square(Color color, CastlingSide side) {
  return Square::at(side == CastlingSide::King ? 6 : 2, color == Color::White ? 0 : 7);
}
constexpr Square castled_rook_square(Color color, CastlingSide side) {
  return Square::at(side == CastlingSide::King ? 5 : 3, color == Color::White ? 0 : 7);
}

// Fixed for a game: everything that castling needs beyond the rights themselves.
class CastlingGeometry {
 public:
  // Registers one possible castling; king and rook stand on their colour's first rank.
  constexpr void add(Color color, CastlingSide side, Square king, Square rook) {
    const int i = castling_index(color, side);
    const Square king_to = castled_king_square(color, side);
    const Square rook_to = castled_rook_square(color, side);
    const Bitboard own = Bitboard(king) | rook;
    rook_[i] = rook;
    must_be_safe_[i] = between(king, king_to) | king_to | king;
    must_be_empty_[i] =
        (between(king, king_to) | king_to | between(rook, rook_to) | rook_to) & ~own;
    rights_lost_[king.index()].add(CastlingRights::of(color, side));
    rights_lost_[rook.index()].add(CastlingRights::of(color, side));
  }

  constexpr Square rook(Color color, CastlingSide side) const {
    return *rook_[castling_index(color, side)];
  }
  constexpr Bitboard must_be_empty(Color color, CastlingSide side) const {
    return must_be_empty_[castling_index(color, side)];
  }
  // The king's path with both ends. The rook's absence can also uncover a check along the first
  // rank; the move generator asks for that separately.
  constexpr Bitboard must_be_safe(Color color, CastlingSide side) const {
    return must_be_safe_[castling_index(color, side)];
  }
  // Rights that end when a piece leaves or reaches this square.
  constexpr CastlingRights rights_lost(Square square) const { return rights_lost_[square.index()]; }

  friend constexpr bool operator==(const CastlingGeometry&, const CastlingGeometry&) = default;

 private:
  std::array<std::optional<Square>, 4> rook_{};
  std::array<Bitboard, 4> must_be_empty_{}, must_be_safe_{};
  std::array<CastlingRights, 64> rights_lost_{};
};

}  // namespace aleph::chess
