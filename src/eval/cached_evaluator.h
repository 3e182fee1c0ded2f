// An evaluator that asks another one only for what it does not remember.
//
// One for each thread, as the evaluator it stands before; the cache may be shared by all of them.
// Answers are the same whether they were remembered or not: a new one is rounded as the cache
// would.
#pragma once

#include <vector>

#include "eval/batch_evaluator.h"
#include "eval/cache.h"

namespace aleph::eval {

class CachedEvaluator final : public BatchEvaluator {
 public:
  // Both must outlive it.
  CachedEvaluator(BatchEvaluator& evaluator, LeafCache& cache)
      : evaluator_(evaluator), cache_(cache) {}

  void evaluate(std::span<const Leaf> leaves, std::span<LeafResult> results) override;
  // With the moves in their order: not all inputs tell whether castling is possible, and a search
  // may look at some of the moves only.
  std::uint64_t key(const Leaf& leaf) const override;

  CacheStatistics statistics() const { return cache_.statistics(); }

 private:
  struct Missing {
    std::size_t place;  // among the leaves that were asked for
    std::uint64_t key;
  };

  BatchEvaluator& evaluator_;
  LeafCache& cache_;
  // Kept between calls, so that nothing is allocated once they have grown.
  std::vector<Missing> missing_;
  std::vector<Leaf> leaves_;
  std::vector<LeafResult> results_;
};

}  // namespace aleph::eval
