#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "eval/network_evaluator.h"

namespace aleph::apps {

// Evaluations are timed alone, and in batches of so many.
inline constexpr std::size_t kCacheBenchBatch = 16;

struct CacheBenchRequest {
  std::string positions;  // a file of EPD; empty: those of the bench
  int visits = 100;       // of each walk
  int mebibytes = 16;     // of the cache
  double seconds = 1;     // for each time
  bool tsv = false;
};

// aleph net bench --cache: what a hit of the cache costs next to an evaluation, and how often there
// is one, on walks as MCTS makes them. From each position there are two walks, the second after the
// best move of the first: a search that begins anew after each move of a game.
Status bench_cache(const CacheBenchRequest& request, eval::NetworkEvaluator& evaluator);

}  // namespace aleph::apps
