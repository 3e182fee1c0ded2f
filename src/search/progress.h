// What a search tells the world: plain data, no text.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "chess/move.h"
#include "eval/quantiles.h"
#include "eval/score.h"
#include "search/limits.h"

namespace aleph::search {

// Which side of the true value a score may lie on. Bit 0: it may be higher; bit 1: lower.
enum class Bound : std::uint8_t { None = 0, Upper = 1, Lower = 2, Exact = 3 };

constexpr bool allows(Bound bound, Bound wanted) {
  return (static_cast<int>(bound) & static_cast<int>(wanted)) != 0;
}

struct Progress {
  int depth = 0, selective_depth = 0;
  int line_number = 1;  // of the best lines asked for, counted from 1
  eval::Score score;
  Bound bound = Bound::Exact;
  std::uint64_t nodes = 0, tablebase_hits = 0;
  int permille_full = 0;  // of the transposition table
  Milliseconds elapsed{0};
  std::vector<chess::Move> line;
  // Of the static evaluation of the root, in the first line of a search whose evaluator knows them.
  std::optional<eval::Quantiles> quantiles;
};

struct Answer {
  chess::Move best;  // none if there is no legal move
  chess::Move ponder;
};

// Called from the search's own thread.
class ProgressListener {
 public:
  virtual ~ProgressListener() = default;
  virtual void on_progress(const Progress& progress) = 0;
  // Which root move is being looked at, and its number; only in long searches.
  virtual void on_root_move(int /*depth*/, chess::Move /*move*/, int /*number*/) {}
  virtual void on_finished(const Answer& answer) = 0;  // exactly once per search
};

}  // namespace aleph::search
