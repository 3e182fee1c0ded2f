#include "eval/cached_evaluator.h"

#include <cassert>

namespace aleph::eval {

std::uint64_t CachedEvaluator::key(const Leaf& leaf) const {
  std::uint64_t sum = leaf.moves.size();
  for (const chess::Move move : leaf.moves)
    sum = (sum ^ move.bits()) * 0x9E3779B97F4A7C15ULL;  // the golden ratio, as splitmix64 has it
  sum ^= evaluator_.key(leaf);
  sum = (sum ^ sum >> 30) * 0xBF58476D1CE4E5B9ULL;
  sum = (sum ^ sum >> 27) * 0x94D049BB133111EBULL;
  return sum ^ sum >> 31;
}

void CachedEvaluator::evaluate(std::span<const Leaf> leaves, std::span<LeafResult> results) {
  assert(leaves.size() == results.size());
  missing_.clear();
  leaves_.clear();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::uint64_t name = key(leaves[i]);
    if (cache_.find(name, leaves[i].moves.size(), results[i])) continue;
    missing_.push_back({i, name});
    leaves_.push_back(leaves[i]);
  }
  if (missing_.empty()) return;
  if (results_.size() < missing_.size()) results_.resize(missing_.size());
  evaluator_.evaluate(leaves_, std::span(results_).first(missing_.size()));
  for (std::size_t i = 0; i < missing_.size(); ++i) {
    const std::size_t moves = leaves_[i].moves.size();
    cache_.store(missing_[i].key, moves, results_[i]);
    for (float& prior : std::span(results_[i].priors).first(moves))
      prior = unpack_prior(pack_prior(prior));
    results[missing_[i].place] = results_[i];
  }
}

}  // namespace aleph::eval
