// Trains quantile layers on a frozen network as a config says. In the config's folder `out`:
//   features.bin                 the base's features of all rows (unless the config names another)
//   checkpoints/                 to go on from
//   log.csv, log.jsonl, index.html, events.out.tfevents.*      the course of the losses
//   qn-XXXXXXXXXXXX.qnnue        at the end: the network, called by its content, and
//   qn-XXXXXXXXXXXX.json         its card: config, data, losses, calibration, what rounding changed
//   calibration.json, .html      how honest the quantiles are on the validation
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "base/result.h"
#include "train/quantile/calibration.h"
#include "train/quantile/quantile_config.h"
#include "train/quantile/quantile_export.h"

namespace aleph::train {

struct QuantileRunOptions {
  bool resume = false;         // from the newest checkpoint, which must be there
  std::function<bool()> stop;  // asked after each step; true: save and end
  bool talk = true;            // lines on stdout, a bar on stderr
};

struct QuantileReport {
  std::uint64_t steps = 0, positions = 0;  // of the whole run
  std::uint64_t train_rows = 0, validation_rows = 0;
  double loss = 0;  // mean since the last line of the log
  std::optional<double> validation_loss;
  double seconds = 0;             // of this process
  bool stopped = false;           // then there is no network yet
  std::filesystem::path network;  // the file
  QuantileRounding rounding;
  CalibrationReport calibration;
};

Result<QuantileReport> run_quantile_training(const QuantileConfig& config,
                                             const QuantileRunOptions& options);

}  // namespace aleph::train
