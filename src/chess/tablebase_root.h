// The legal moves of a position, ranked by what tablebases know: a search that considers only the
// moves of the highest rank cannot spoil the result.
#pragma once

#include <optional>
#include <vector>

#include "chess/move.h"
#include "chess/position.h"
#include "chess/tablebase.h"
#include "chess/tablebase_wdl.h"

namespace aleph::chess {

struct RankedMove {
  Move move;
  // Higher is better; above 0 for wins, below for losses, 0 for draws. Certain wins share one rank,
  // so that the search may choose among them by its own lights, until a position has been repeated
  // or the fifty-move clock comes near: then the quickest is best. Losses are alike as long as no
  // fifty-move draw is in sight.
  int rank = 0;
  // For the side that makes the move, with the clock and the repetitions of the game: Win is
  // certain, CursedWin too slow (or in doubt). Without the fifty-move rule never cursed or blessed.
  Wdl wdl = Wdl::Draw;
  // As in Tablebases::probe_dtz, counted from the position before the move; 0 if not by_dtz.
  int dtz = 0;
};

struct RootRanking {
  bool by_dtz = false;            // false: a DTZ table was missing, and a win may make no progress
  std::vector<RankedMove> moves;  // all legal ones, the best (then the steadiest) first
};

// nullopt if the tables do not know all the moves.
std::optional<RootRanking> rank_root_moves(const Tablebases& tables, const Position& position,
                                           bool fifty_move_rule);

}  // namespace aleph::chess
