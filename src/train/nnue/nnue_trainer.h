// Trains an NNUE network as a config says. In the config's folder `out` it leaves:
//   checkpoint.bin         to go on from
//   latest.nnue            the network of that moment, playable
//   log.csv, log.jsonl     the course of the losses
//   nn-XXXXXXXXXXXX.nnue   at the end: the network, called by its content, and
//   nn-XXXXXXXXXXXX.json   its card: config, data, losses, what rounding changed
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "base/result.h"
#include "train/nnue/nnue_config.h"
#include "train/nnue/nnue_export.h"

namespace aleph::train {

struct NnueRunOptions {
  bool resume = false;         // from checkpoint.bin, which must be there
  std::function<bool()> stop;  // asked after each step; true: save and end
  bool talk = true;            // lines on stdout, a bar on stderr
};

struct NnueReport {
  std::uint64_t steps = 0, positions = 0;
  double loss = 0;  // mean since the last line of the log
  std::optional<double> validation_loss;
  double seconds = 0;             // of this process
  bool stopped = false;           // then there is no network yet
  std::filesystem::path network;  // the file
  RoundingReport rounding;
};

Result<NnueReport> run_nnue_training(const NnueConfig& config, const NnueRunOptions& options);

// The rate of a step: it rises from 0 for `warmup` steps, then falls as the schedule says. `done`
// is the part of the whole work that is behind us, 0 to 1.
double nnue_rate(const NnueConfig::Rate& rate, std::uint64_t step, double done);

}  // namespace aleph::train
