// One of the 64 squares. a1 = 0, b1 = 1, ... h8 = 63.
// There is no "none" square: a maybe-square is std::optional<Square>, so a forgotten check shows.
#pragma once

#include <cassert>
#include <cstdint>

#include "chess/color.h"

namespace aleph::chess {

class Square {
 public:
  static constexpr Square at(int file, int rank) { return from_index(rank * 8 + file); }
  static constexpr Square from_index(int index) {
    assert(index >= 0 && index < 64);
    return Square(index);
  }

  constexpr int index() const { return index_; }
  constexpr int file() const { return index_ & 7; }
  constexpr int rank() const { return index_ >> 3; }

  constexpr Square mirrored() const { return Square(index_ ^ 56); }  // a1 <-> a8
  constexpr Square flopped() const { return Square(index_ ^ 7); }    // a1 <-> h1

  // The square as `color` sees it from its own side of the board.
  constexpr Square relative_to(Color color) const {
    return Square(index_ ^ (color == Color::White ? 0 : 56));
  }
  constexpr int relative_rank(Color color) const { return relative_to(color).rank(); }

  friend constexpr bool operator==(Square, Square) = default;

 private:
  explicit constexpr Square(int index) : index_(static_cast<std::uint8_t>(index)) {}

  std::uint8_t index_;
};

// The square one step "up the board" for `color`; the caller knows that there is one.
constexpr Square forward_of(Square square, Color color) {
  return Square::from_index(square.index() + (color == Color::White ? 8 : -8));
}

constexpr Square backward_of(Square square, Color color) { return forward_of(square, ~color); }

namespace squares {
inline constexpr Square a1 = Square::at(0, 0), b1 = Square::at(1, 0), c1 = Square::at(2, 0),
                        d1 = Square::at(3, 0), e1 = Square::at(4, 0), f1 = Square::at(5, 0),
                        g1 = Square::at(6, 0), h1 = Square::at(7, 0), a8 = Square::at(0, 7),
                        e8 = Square::at(4, 7), h8 = Square::at(7, 7);
}  // namespace squares

}  // namespace aleph::chess
