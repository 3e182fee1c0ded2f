// From weights that were learned to a network file with its card.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "data/dataset/dataset.h"
#include "nets/weights/net_file.h"
#include "train/checkpoint_file.h"
#include "train/train_config.h"
#include "train/trainer.h"

namespace aleph::train {

// How far a number of a head may differ between the executor and torch: this share of the largest
// number of the head, or of 1.
inline constexpr double kParityLimit = 1e-4;

struct MeanWeights {
  std::size_t checkpoints = 0;
  std::vector<float> numbers;  // as learners keep them
};
// The mean of the newest `count` checkpoints that can be read. is_averaged: of their averages
// (EMA).
Result<MeanWeights> mean_weights(const std::filesystem::path& run, std::size_t count,
                                 bool is_averaged);
// The name of those numbers in a checkpoint.
std::string weights_part(bool is_averaged);

// "NAME: 1,234,567 rows, sha256 of dataset.json 01ab...".
std::string describe_data(const data::Dataset& dataset);

// Nothing in it depends on the time or on the speed of the machine: a run that was stopped and
// resumed writes the same bytes.
nets::NetCard card_of(const TrainConfig& config, const data::Dataset& dataset,
                      const RunReport& report);

// Checks that the engine runs the network as it was learned, then writes it. The largest difference
// of a number, or why there is no file.
Result<double> export_network(const std::filesystem::path& file, const nets::NetFile& network,
                              double flops);

}  // namespace aleph::train
