// One step of learning quantiles: forward, pinball loss, backward, Adam.
//
// The positions of a batch are cut into sixteen runs that threads share; each run adds up gradients
// of its own, and the runs are added in their order. So the result is the same bit for bit, with
// any number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/memory.h"
#include "base/thread_pool.h"
#include "train/quantile/feature_cache.h"
#include "train/quantile/quantile_model.h"

namespace aleph::train {

using RowLogits = std::array<double, nnue::kQuantiles>;

// Scores of a row as the loss sees them: logits, with mates as far away as anything is.
double target_logit(int score, double score_unit);

// What a step makes less.
struct QuantileLoss {
  double score_unit;        // internal units to one of the labels
  double logit_weight = 0;  // of the loss in logits, beside that in expected score
};

class QuantileStep {
 public:
  // The model and the cache must outlive it, and have one width. whole: forward as the engine's
  // integers.
  QuantileStep(QuantileModel& model, const FeatureCache& cache, const QuantileLoss& loss,
               std::size_t threads, bool whole = true);
  ~QuantileStep();
  QuantileStep(const QuantileStep&) = delete;
  QuantileStep& operator=(const QuantileStep&) = delete;

  // Rows of the cache, at least one. Mean loss in expected score, that before the change.
  double train(std::span<const std::uint32_t> rows, double rate);
  double loss(std::span<const std::uint32_t> rows);
  std::vector<RowLogits> logits(std::span<const std::uint32_t> rows);
  // What train() follows, in the shape of the model: for tests.
  QuantileModel gradient(std::span<const std::uint32_t> rows);

  std::uint64_t steps() const { return steps_; }
  void set_steps(std::uint64_t steps) { steps_ = steps; }
  std::span<float> first_moments() { return first_; }
  std::span<float> second_moments() { return second_; }

 private:
  struct Run;
  void spread(std::size_t count, const std::function<void(std::size_t)>& work);
  double pass(std::span<const std::uint32_t> rows, bool learn);
  void pass_run(std::span<const std::uint32_t> rows, Run& run, std::size_t from, std::size_t to,
                bool learn);
  void add_up_runs();
  void update(double rate);

  QuantileModel& model_;
  const FeatureCache& cache_;
  QuantileLoss loss_;
  bool whole_;
  std::unique_ptr<ThreadPool> pool_;  // null: one thread
  std::uint64_t steps_ = 0;
  AlignedVector<float> first_, second_;  // moments
  std::vector<Run> runs_;
  QuantileModel scaled_;                       // of the pass
  std::vector<RowLogits>* answers_ = nullptr;  // where they are wanted
};

}  // namespace aleph::train
