// Judges a finished quantile network on labelled positions.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "train/quantile/calibration.h"
#include "train/quantile/quantile_config.h"

namespace aleph::train {

enum class QuantilePart : std::uint8_t { Validation, Training, All };

struct QuantileEvaluation {
  std::string network;  // .qnnue
  std::string base;     // empty: the one whose SHA-256 the network names
  std::vector<QuantileSource> data;
  std::string cache;  // where features are kept; empty: nowhere
  QuantilePart part = QuantilePart::Validation;
  bool talk = true;
};

struct QuantileVerdict {
  CalibrationReport calibration;
  std::string name;  // of the network's card, or its file
};

// The card tells how rows were split, what was learnt (deep, depths) and what a centipawn is; the
// baselines are fitted on the rows of the training part.
Result<QuantileVerdict> evaluate_quantiles(const QuantileEvaluation& evaluation);

}  // namespace aleph::train
