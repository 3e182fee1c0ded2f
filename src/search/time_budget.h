// How long a move may take. Two limits: the soft one is what the move deserves, and is stretched or
// cut by how the search goes; the hard one ends it wherever it is.
#pragma once

#include <optional>

#include "search/limits.h"

namespace aleph::search {

// What a search knows of itself after an iteration.
struct SearchMood {
  int depth = 0;
  int stable_depth = 0;        // iterations since the best move last changed
  double changes = 0;          // of the best move, recent ones counting more
  double best_move_share = 0;  // part of the nodes that went into the best move, 0 to 1
  int drop_since_last_move = 0, drop_since_iterations = 0;  // of the score, in units
  bool only_one_move = false;
  double doubt = 0;  // how much more time the uncertainty of the root deserves, as a part of it
};

class TimeBudget {
 public:
  TimeBudget() = default;
  // `game_ply` counts from the start of the game.
  TimeBudget(const Limits& limits, int game_ply);

  bool is_limited() const { return hard_.has_value(); }
  // Whether the search must end now.
  bool is_over(Milliseconds elapsed) const { return hard_ && elapsed >= *hard_; }
  // Whether another iteration is worth it; only the clock of a game decides this, not a fixed time
  // per move.
  bool is_enough(Milliseconds elapsed, const SearchMood& mood) const;
  std::optional<Milliseconds> soft() const { return soft_; }
  std::optional<Milliseconds> hard() const { return hard_; }

 private:
  std::optional<Milliseconds> soft_, hard_;
};

}  // namespace aleph::search
