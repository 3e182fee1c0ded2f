// Games of the engine against itself, in this process, for what they teach about positions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/child_process.h"
#include "base/rng.h"
#include "chess/move.h"
#include "chess/packed_position.h"
#include "chess/position.h"
#include "eval/nnue_evaluator.h"
#include "eval/wdl.h"
#include "lab/match/settings.h"
#include "search/alpha_beta/parallel_search.h"
#include "search/table.h"

namespace aleph::lab {

// What the engine thought before it played a move.
struct ThoughtMove {
  chess::PackedPosition position;
  chess::Color side = chess::Color::White;
  chess::Move move;
  std::int16_t depth = 0, score = 0;  // for the side to move, as in score_rows.h
  std::int16_t ply = 0;               // in the game, those of the opening included
  bool quiet = false;                 // not in check, and the move takes and promotes nothing
};

struct SelfPlayGame {
  std::vector<ThoughtMove> moves;  // without those of the opening
  std::optional<chess::Color> winner;
  bool adjudicated = false;

  // 1, 0 or -1 for this side.
  int outcome(chess::Color side) const {
    if (!winner) return 0;
    return *winner == side ? 1 : -1;
  }
};

// Plays this many legal moves, every one equally likely. Games that would be over by then are drawn
// again; where that does not help, fewer moves are played.
void play_random_moves(chess::Position& position, int plies, Rng& rng);

// One search with a table of its own.
class SelfPlayer {
 public:
  struct Rules {
    std::uint64_t nodes = 5000;  // for each move
    Adjudication adjudication;
  };

  // The models must outlive it.
  SelfPlayer(const eval::NnueModels& models, int hash_mib);

  // The same game for the same start: all that was learned before is forgotten. Nothing:
  // interrupted. The game must not be over at the start.
  std::optional<SelfPlayGame> play(chess::Position start, const Rules& rules,
                                   const Interrupt& interrupt);

 private:
  struct Thought {
    chess::Move move;
    std::optional<UciScore> score;
    int depth = 0;
  };
  Thought think(const chess::Position& position, std::uint64_t nodes);

  const eval::WdlModel& wdl_;
  search::TranspositionTable table_;
  std::optional<search::ParallelSearch> search_;
};

}  // namespace aleph::lab
