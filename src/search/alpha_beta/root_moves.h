// The moves at the root and what is known about each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "chess/move.h"
#include "eval/score.h"
#include "search/progress.h"

namespace aleph::search {

struct RootMove {
  explicit RootMove(chess::Move move) : line{move} {}

  chess::Move move() const { return line.front(); }

  eval::Score score = -eval::Score::infinite();     // of this iteration, if it was searched so far
  eval::Score previous = -eval::Score::infinite();  // of the last one
  eval::Score shown = -eval::Score::infinite();     // what is reported, with its bound
  Bound bound = Bound::Exact;
  eval::Score average = -eval::Score::infinite();
  std::int64_t mean_squared = 0;  // signed: how far from zero, and on which side
  std::uint64_t effort = 0;       // nodes below it
  int selective_depth = 0;
  int tablebase_rank = 0;  // moves of a higher rank keep a better result for certain
  std::optional<eval::Score> tablebase_score;  // what is shown unless a mate is found
  std::vector<chess::Move> line;

  friend bool operator<(const RootMove& a, const RootMove& b) {  // for sorting: the better first
    return a.score != b.score ? a.score > b.score : a.previous > b.previous;
  }
};

using RootMoves = std::vector<RootMove>;

}  // namespace aleph::search
