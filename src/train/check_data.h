// Whether a dataset has what a config wants to learn from it.
#pragma once

#include "base/result.h"
#include "data/dataset/dataset.h"
#include "train/train_config.h"

namespace aleph::train {

// The sentence begins with the key and its line.
Status check_data(const TrainConfig& config, const data::Dataset& dataset);

}  // namespace aleph::train
