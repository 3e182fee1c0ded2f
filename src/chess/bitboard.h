// A set of squares, one bit each (bit i is Square::from_index(i)).
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "chess/square.h"

namespace aleph::chess {

class Bitboard {
 public:
  constexpr Bitboard() = default;
  explicit constexpr Bitboard(std::uint64_t bits) : bits_(bits) {}
  // Implicit on purpose: a square is a set of one.
  constexpr Bitboard(Square square) : bits_(std::uint64_t{1} << square.index()) {}

  static constexpr Bitboard file(int file) { return Bitboard(0x0101'0101'0101'0101ULL << file); }
  static constexpr Bitboard rank(int rank) { return Bitboard(0xFFULL << (8 * rank)); }
  static constexpr Bitboard all() { return Bitboard(~0ULL); }

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool any() const { return bits_ != 0; }
  constexpr bool several() const { return (bits_ & (bits_ - 1)) != 0; }
  constexpr int count() const { return std::popcount(bits_); }
  constexpr bool has(Square square) const { return (bits_ >> square.index() & 1) != 0; }

  constexpr Square first() const {
    assert(any());
    return Square::from_index(std::countr_zero(bits_));
  }
  constexpr Square pop_first() {
    const Square square = first();
    bits_ &= bits_ - 1;
    return square;
  }

  constexpr Bitboard operator~() const { return Bitboard(~bits_); }
  constexpr Bitboard& operator&=(Bitboard other) { return bits_ &= other.bits_, *this; }
  constexpr Bitboard& operator|=(Bitboard other) { return bits_ |= other.bits_, *this; }
  constexpr Bitboard& operator^=(Bitboard other) { return bits_ ^= other.bits_, *this; }
  friend constexpr Bitboard operator&(Bitboard a, Bitboard b) {
    return Bitboard(a.bits_ & b.bits_);
  }
  friend constexpr Bitboard operator|(Bitboard a, Bitboard b) {
    return Bitboard(a.bits_ | b.bits_);
  }
  friend constexpr Bitboard operator^(Bitboard a, Bitboard b) {
    return Bitboard(a.bits_ ^ b.bits_);
  }
  friend constexpr bool operator==(Bitboard, Bitboard) = default;

  // `for (const Square square : set)` visits a1 first.
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Square;
    using difference_type = std::ptrdiff_t;
    using reference = Square;
    using pointer = void;

    constexpr Iterator() = default;
    explicit constexpr Iterator(std::uint64_t rest) : rest_(rest) {}
    constexpr Square operator*() const { return Square::from_index(std::countr_zero(rest_)); }
    constexpr Iterator& operator++() { return rest_ &= rest_ - 1, *this; }
    constexpr Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend constexpr bool operator==(Iterator, Iterator) = default;

   private:
    std::uint64_t rest_ = 0;
  };
  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  std::uint64_t bits_ = 0;
};

// One step in a compass direction; squares that would leave the board vanish.
constexpr Bitboard north(Bitboard set) { return Bitboard(set.bits() << 8); }
constexpr Bitboard south(Bitboard set) { return Bitboard(set.bits() >> 8); }
constexpr Bitboard east(Bitboard set) { return Bitboard((set & ~Bitboard::file(7)).bits() << 1); }
constexpr Bitboard west(Bitboard set) { return Bitboard((set & ~Bitboard::file(0)).bits() >> 1); }

constexpr Bitboard forward(Bitboard set, Color color) {
  return color == Color::White ? north(set) : south(set);
}

// Every square that pawns of `color` standing on `pawns` attack.
constexpr Bitboard pawn_attacks(Bitboard pawns, Color color) {
  return forward(east(pawns) | west(pawns), color);
}

// The rank counted from `color`'s own side: relative_rank(c, 1) is where its pawns start.
constexpr Bitboard relative_rank(Color color, int rank) {
  return Bitboard::rank(color == Color::White ? rank : 7 - rank);
}

inline constexpr Bitboard kLightSquares{0x55AA'55AA'55AA'55AAULL};
inline constexpr Bitboard kDarkSquares = ~kLightSquares;
static_assert(kDarkSquares.has(squares::a1) && kLightSquares.has(squares::h1));

}  // namespace aleph::chess
