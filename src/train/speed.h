// How many samples a network learns in a second on this machine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "train/train_config.h"

namespace aleph::train {

struct TrainingSpeed {
  double samples_per_second = 0;  // of the fastest step
  std::string device;
};

// Learns random positions with the losses of the config (or, if it has none, with those that the
// heads of the model suggest), for so many steps of config.batch rows behind one that is not
// measured.
Result<TrainingSpeed> measure_training(TrainConfig config, std::size_t steps);

// A loss for each head that has one: fromto with smoothing 0.1, legal_policy, promotion, value,
// result, think_time.
std::vector<LossTerm> usual_losses(const nets::NetSpec& spec);

}  // namespace aleph::train
