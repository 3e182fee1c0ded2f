// A whole run: from a config to a network with its card, its logs and its checkpoints.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "train/metrics.h"
#include "train/process_group.h"
#include "train/run_log.h"
#include "train/train_config.h"

namespace aleph::train {

struct RunOptions {
  std::filesystem::path out;  // the run's folder: checkpoints, logs, the network
  bool resume = false;        // go on from the newest checkpoint; another world size is no problem
  std::optional<Launch> launch;
  std::function<void(const LogEntry&)> on_entry;  // every logged step and validation
  std::function<void(std::uint64_t step, std::uint64_t steps, double loss,
                     double samples_per_second)>
      on_step;
};

struct RunReport {
  std::uint64_t steps = 0, samples = 0, parameters = 0;
  double seconds = 0;
  double flops = 0;    // of one position
  Metrics validation;  // of the exported weights
  double validation_loss = 0;
  std::size_t averaged = 0;     // checkpoints that the exported weights are the mean of; 0: none
  std::optional<Metrics> last;  // then: of the weights of the last step
  std::vector<LogEntry> entries;
  std::filesystem::path network;  // NAME.safetensors in the run's folder; of rank 0
  double parity = 0;              // the largest difference of a logit, executor against torch
  std::string stopped_because;    // "all steps are done", "no gain in 5 validations"
};

// A folder with a run in it is refused, unless that run is resumed with the same config. A loss
// that is not a number stops the run: the sentence names the step, and RUN/nan-step-N.aleph holds
// the state before it and the batch. So does a process that no longer answers; a network that the
// engine does not run as it was learned is not exported. Checkpoints stay in every case.
Result<RunReport> train(const TrainConfig& config, const RunOptions& options);

}  // namespace aleph::train
