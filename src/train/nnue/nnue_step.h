// One step of learning: forward, loss, backward, Adam.
//
// The loss of a position is |sigmoid(output / scale) - target| ^ power. Three phases, each spread
// over threads in pieces whose sums are added in a fixed order, so that the result is the same bit
// for bit, whatever the number of threads:
//   1. positions, in sixteen runs: accumulators, layers, loss, and back to the gradients of the
//      accumulators, which are kept for the whole batch;
//   2. the layers themselves: the gradients of the sixteen runs are added up;
//   3. features: the gradient of a row is the sum of the accumulators it went into; it is used at
//      once, and never stored. Rows that no position of the batch touches keep their moments.
//
// Factorised: each piece on each square has a part that all 32 king buckets share, with moments of
// its own. It is added to all of them as it is learnt, so that rare buckets know what is common.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/memory.h"
#include "base/thread_pool.h"
#include "train/nnue/kernels/kernels.h"
#include "train/nnue/nnue_model.h"
#include "train/nnue/sparse_batch.h"

namespace aleph::train {

struct StepSettings {
  double loss_power = 2.5;
  double score_scale = 410;  // internal units that are worth a factor e of winning chances
  bool factorised = true;
  bool whole_activations = true;  // rounded down, as the engine's bytes are
  bool whole_weights = false;     // layers: forward and back with what the file would hold
  float transformer_limit = 2;    // of feature weights; 1 is a neuron from off to fully on
};

class NnueStep {
 public:
  // The model must outlive it.
  NnueStep(NnueModel& model, const StepSettings& settings, std::size_t threads,
           const NnueKernels& kernels = best_nnue_kernels());
  NnueStep(const NnueStep&) = delete;
  NnueStep& operator=(const NnueStep&) = delete;
  ~NnueStep();

  // Learns from a batch, which must not be empty. The mean loss is that before the change.
  double train(const SparseBatch& batch, double rate);
  double loss(const SparseBatch& batch);  // the mean
  // In the trainer's unit, side to move's view, in the order of the batch.
  std::vector<float> outputs(const SparseBatch& batch);
  // What train() follows, in the shape of the model: for tests.
  NnueModel gradient(const SparseBatch& batch);

  std::uint64_t steps() const { return steps_; }
  void set_steps(std::uint64_t steps) { steps_ = steps; }
  // The moments of Adam, for files; the order is part of the format of checkpoints.
  std::vector<std::span<float>> arrays();

 private:
  struct Run;       // what one run of positions adds up
  struct Moments {  // of one table
    LargeArray<float> first, second;
    explicit Moments(std::size_t count) : first(count), second(count) {}
  };
  struct RowTable;

  const float* stack(std::size_t bucket) const;
  void round_layers();
  void spread(std::size_t count, const std::function<void(std::size_t)>& work);
  double pass(const SparseBatch& batch, bool learn);
  void pass_run(const SparseBatch& batch, std::size_t run, bool learn);
  float evaluate(const SparseBatch& batch, std::size_t position, float* sums, float* products,
                 StackTrace& trace) const;
  void add_loss(double output, double target, double positions, Run& run, float& gradient) const;
  void keep_gradient(std::size_t row, const float* gradient);
  void add_up_runs();
  void update_layers(const AdamStep& step);
  void update_features(const SparseBatch& batch, const AdamStep& step);
  void update_slice(const SparseBatch& batch, const AdamStep& step, std::size_t slice,
                    std::size_t place);
  void update_psqt(const SparseBatch& batch, const AdamStep& step, std::size_t place);
  void psqt_gradient(const SparseBatch& batch, std::size_t feature, float* to) const;
  void update_rows(const RowTable& table, std::size_t place, std::size_t column,
                   std::size_t columns, const float* gradients, std::uint32_t touched,
                   const AdamStep& step) const;

  NnueModel& model_;
  StepSettings settings_;
  const NnueKernels& kernels_;
  std::unique_ptr<ThreadPool> pool_;  // null: one thread
  std::uint64_t steps_ = 0;

  Moments weight_, shared_weight_, psqt_, shared_psqt_, bias_, stacks_;
  AlignedVector<float> whole_stacks_;  // the layers, rounded: only with whole_weights
  std::vector<Run> runs_;
  std::size_t slice_width_;
  std::size_t rows_ = 0;         // of the batch
  LargeArray<float> gradients_;  // [slice][row][slice width]: one slice fits into the cache
  std::vector<float> outputs_, output_gradients_;  // of each position
};

}  // namespace aleph::train
