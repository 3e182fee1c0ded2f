// What is in a file of LE22ct rows, and whether all of it is chess.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/le22ct.h"

namespace aleph::data {

struct Le22ctStats {
  std::uint64_t rows = 0, illegal = 0;
  // Of the legal rows:
  std::uint64_t white_to_move = 0, captures = 0, en_passant = 0, castling = 0, promotions = 0;
  std::uint64_t checks = 0, checkmates = 0;
  // "row 17: turn: 2 is neither 0 nor 1", of the first illegal rows; the first row is 0, as in
  // Python.
  std::vector<std::string> problems;

  // One row after the other, as position_and_move() has read it. Keeps at most that many problems.
  void add(const Result<PositionAndMove>& read, std::size_t most_problems);

  std::uint64_t legal() const { return rows - illegal; }
  std::string text() const;  // a line for each number
};

}  // namespace aleph::data
