// Where a run is, besides what its learner knows: what a checkpoint needs to go on as if nothing
// had happened.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/result.h"
#include "train/checkpoint_file.h"
#include "train/sample_source.h"
#include "train/train_config.h"

namespace aleph::train {

struct RunState {
  std::string data;  // what it learns from: describe_data (run_export.h)
  std::uint64_t step = 0, samples = 0;
  double seconds = 0;
  SourcePlace place;
  // Since the last line of the log: sums over steps of the loss and of its terms.
  std::uint64_t window_steps = 0;
  std::vector<double> window;
  // Early stopping.
  double best_loss = std::numeric_limits<double>::infinity();
  int without_gain = 0;

  // True if this validation was a gain.
  bool note_validation(double loss, const StoppingConfig& stopping);
  friend bool operator==(const RunState&, const RunState&) = default;
};

// With the config, the model, the seed and the version of the program.
void save(const RunState& state, const TrainConfig& config, CheckpointFile& checkpoint);
// Refuses a checkpoint of another config, another model or other data.
Result<RunState> load(const CheckpointFile& checkpoint, const TrainConfig& config,
                      const std::string& data);

// A batch, part by part, for a run that ends with a loss that is not a number.
void save(const Samples& samples, CheckpointFile& checkpoint);

}  // namespace aleph::train
