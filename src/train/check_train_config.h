// Whether losses, network and settings of a config fit together. Private to
// read_train_config*.cpp.
#pragma once

#include "train/config_map.h"
#include "train/train_config.h"

namespace aleph::train {

// Refuses the first term that the network has no head for, or that lacks what it needs.
void check_losses(ConfigMap& top, const TrainConfig& config);

}  // namespace aleph::train
