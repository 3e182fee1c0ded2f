// A list of moves on the stack. No legal position has more than 218 moves.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

#include "chess/move.h"

namespace aleph::chess {

class MoveList {
 public:
  static constexpr std::size_t kCapacity = 256;

  MoveList() {}  // leaves the array unset: filling it would cost more than generating moves

  void add(Move move) {
    assert(size_ < kCapacity);
    moves_[size_++] = move;
  }
  void clear() { size_ = 0; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Move operator[](std::size_t i) const { return assert(i < size_), moves_[i]; }
  bool contains(Move move) const { return std::find(begin(), end(), move) != end(); }

  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }

 private:
  std::size_t size_ = 0;
  union {
    std::array<Move, kCapacity> moves_;  // in a union: its members' zeroing constructors do not run
  };
};

}  // namespace aleph::chess
