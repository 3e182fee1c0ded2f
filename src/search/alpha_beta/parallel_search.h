// Alpha-beta on several threads: each searches the same position on its own, and they help each
// other by what they leave in the shared table and corrections. At the end they vote.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "eval/nnue_evaluator.h"
#include "search/alpha_beta/control.h"
#include "search/alpha_beta/runner.h"
#include "search/alpha_beta/worker.h"
#include "search/searcher.h"

namespace aleph::search {

template <eval::IncrementalEvaluator E>
class BasicParallelSearch final : public Searcher {
 public:
  // The table must outlive the search. Every thread makes an evaluator of its own from the models.
  BasicParallelSearch(TranspositionTable& table, const typename E::Models& models, int threads);
  ~BasicParallelSearch() override;

  void start(const chess::Position& position, const Limits& limits, const SearchOptions& options,
             ProgressListener& listener) override;
  void stop() override;
  void ponder_hit() override;
  void wait() override;
  void forget() override;
  std::uint64_t nodes() const override;

  int threads() const { return static_cast<int>(workers_.size()); }

 private:
  void run_main();
  void wait_until_allowed_to_answer();
  const Worker<E>& elect() const;
  std::uint64_t tablebase_hits() const;

  Corrections corrections_;
  SearchControl control_;
  std::vector<std::unique_ptr<Worker<E>>> workers_;
  std::vector<std::unique_ptr<Runner>> runners_;  // one per worker; the first drives the others
  std::mutex answer_mutex_;
  std::condition_variable answer_allowed_;
};

// With plain networks; quantile_search.h has the other.
using ParallelSearch = BasicParallelSearch<eval::NnueEvaluator>;
extern template class BasicParallelSearch<eval::NnueEvaluator>;

}  // namespace aleph::search
