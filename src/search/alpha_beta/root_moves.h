// The moves at the root and what is known about each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "chess/move.h"
#include "chess/position.h"
#include "eval/score.h"
#include "search/alpha_beta/control.h"
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

RootMoves list_root_moves(const chess::Position& position, const Limits& limits);

// Moves that keep the result come first, and alone count. Tables that also know the way there need
// not be asked again below the root, where the search then looks for the mate itself.
void rank_by_tablebases(const chess::Position& position, TablebaseUse& use, RootMoves& moves);

// If the line has only one move, the table may know the answer to expect.
chess::Move expected_answer(const chess::Position& position, const RootMove& best,
                            const TranspositionTable& table);

}  // namespace aleph::search
