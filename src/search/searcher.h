// A way to choose a move: alpha-beta today, others later. Works in threads of its own.
#pragma once

#include "chess/position.h"
#include "search/alpha_beta/control.h"
#include "search/limits.h"
#include "search/progress.h"

namespace aleph::search {

class Searcher {
 public:
  virtual ~Searcher() = default;

  // Returns at once; the listener hears of it from another thread, and at last on_finished. Only
  // when no search is running.
  virtual void start(const chess::Position& position, const Limits& limits,
                     const SearchOptions& options, ProgressListener& listener) = 0;
  virtual void stop() = 0;        // returns at once; on_finished follows
  virtual void ponder_hit() = 0;  // the awaited move was played: the clock runs
  virtual void wait() = 0;        // returns when no search is running
  virtual void forget() = 0;      // a new game: what was learned is cleared. Not while searching
  virtual std::uint64_t nodes() const = 0;  // of the last search
};

}  // namespace aleph::search
