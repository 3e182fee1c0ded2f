// From floats to a Stockfish .nnue file and back.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "nnue/network.h"
#include "train/nnue/nnue_loader.h"
#include "train/nnue/nnue_model.h"
#include "train/nnue/nnue_step.h"

namespace aleph::train {

// HalfKAv2_hm with SFNNv5 stacks of this width: the known architecture if there is one, so that
// every reader of those files accepts ours.
nnue::Architecture trained_architecture(std::size_t width);

// Rounded to the nearest numbers that the file holds.
nnue::Network quantised(const NnueModel& model, std::string description);
// The other way: a model that computes the same up to rounding. Fails for other architectures.
Result<NnueModel> model_of(const nnue::Network& network);

// Rounded weights shift the values of a bucket a little, all in one direction. This shifts the last
// bias of each bucket back, by what the sample says.
nnue::Network calibrated(NnueStep& step, nnue::Network network,
                         std::span<const SampledPosition> sample);

// Writes the network to `folder` as nn-<first twelve digits of its SHA-256>.nnue, or as `name`.
Result<std::filesystem::path> write_trained(const nnue::Network& network,
                                            const std::filesystem::path& folder,
                                            const std::string& name = "");

// How far the engine's integers are from the trainer's floats, in internal units.
struct RoundingReport {
  std::size_t positions = 0;
  double mean = 0, worst = 0;  // of the absolute differences
  double bias = 0;             // mean of the differences: integer minus float
  double mean_value = 0;       // of the absolute values, for comparison
};
// No positions if the engine has no kernels for this width; then nothing is calibrated either.
RoundingReport compare_rounding(NnueStep& step, nnue::Network network,
                                std::span<const SampledPosition> sample);

}  // namespace aleph::train
