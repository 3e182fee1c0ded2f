// A network that learns. The only place where torch computes; its headers stay in the sources.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "nets/graph/graph.h"
#include "nets/weights/net_file.h"
#include "train/checkpoint_file.h"
#include "train/process_group.h"
#include "train/samples.h"
#include "train/train_config.h"

namespace aleph::train {

struct StepResult {
  double loss = 0;            // the weighted sum, mean over the batch of all processes
  std::vector<double> terms;  // each term of the config, not weighted
  double gradient_norm = 0;   // before it was clipped
  double rate = 0;            // the learning rate that was used
  bool is_finite = true;      // false: nothing was changed
};

// One value per output of the graph and sample: outputs[i] has size * width numbers.
using Outputs = std::vector<std::vector<float>>;

class Learner {
 public:
  // Makes the network of config.model: initialised as the seeds say (He for convolutions, Xavier
  // for linear layers, N(0, width^-0.5) for tables of words), or read from config.start_from.
  // steps: of the whole run, for schedules. group: null for one process.
  static Result<std::unique_ptr<Learner>> make(const TrainConfig& config, std::uint64_t steps,
                                               ProcessGroup* group = nullptr);
  virtual ~Learner() = default;

  virtual const nets::Graph& graph() const = 0;
  virtual std::string device() const = 0;  // "2 replicas on the processor", "cuda:0"

  // One step of the optimiser on this process's part of the batch; cut into micro-batches, which
  // are dealt to the replicas. The result does not depend on how many replicas there are, nor on
  // which is faster. Fails if another process is gone; then nothing was changed.
  // Batch norms see one micro-batch at a time; their averages go a tenth of the way, each step, to
  // the mean over all micro-batches of all processes.
  virtual Result<StepResult> step(const Samples& samples) = 0;
  virtual std::uint64_t steps_done() const = 0;

  // The next two ask this process alone.
  // As the engine would see them: no dropout, batch norms with their averages, and the averaged
  // weights if `averaged` and the config wants an EMA.
  virtual Outputs evaluate(const Samples& samples, bool averaged) = 0;
  // The loss of samples without learning: the terms and the sum as in StepResult.
  virtual StepResult measure(const Samples& samples, bool averaged) = 0;

  // Everything that another learner needs to go on bit by bit as this one would: weights, moments,
  // averages, steps, random numbers.
  virtual void save(CheckpointFile& checkpoint) const = 0;
  virtual Status load(const CheckpointFile& checkpoint) = 0;

  // Tensors by the names of the graph. averaged: see evaluate.
  virtual nets::Tensors tensors(bool averaged) const = 0;
};

}  // namespace aleph::train
