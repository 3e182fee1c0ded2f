// What the threads of one search share while it runs.
#pragma once

#include <atomic>

#include "search/alpha_beta/corrections.h"
#include "search/limits.h"
#include "search/progress.h"
#include "search/table.h"
#include "search/time_budget.h"

namespace aleph::chess {
class Tablebases;
}

namespace aleph::search {

struct TablebaseUse {
  const chess::Tablebases* tables = nullptr;
  int probe_depth = 1, probe_limit = 7;
  bool fifty_move_rule = true;
};

// What does not change from one search to the next.
struct SearchOptions {
  int lines = 1;  // how many best lines to report
  TablebaseUse tablebases;
};

struct SearchControl {
  TranspositionTable& table;
  Corrections& corrections;

  Limits limits;
  TimeBudget budget;
  SearchOptions options;
  ProgressListener* listener = nullptr;

  std::atomic<bool> stop{false};
  std::atomic<bool> told_to_stop{false};  // from outside: an analysis may answer
  std::atomic<bool> pondering{false};
  // The time is up, but the answer must wait for ponderhit.
  std::atomic<bool> stop_on_ponderhit{false};

  Milliseconds elapsed() const {
    return std::chrono::duration_cast<Milliseconds>(Clock::now() - limits.start);
  }
};

}  // namespace aleph::search
