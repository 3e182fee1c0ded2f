// How fast to learn at which step.
#pragma once

#include <cstdint>

#include "train/train_config.h"

namespace aleph::train {

// Vaswani's d_model, unless the schedule names another: channels of a resnet, width of a
// transformer.
int width_of_trunk(const nets::NetSpec& spec);

// Of a step (the first is 1) of `steps`. The warm-up of all kinds is a straight line from 0.
double learning_rate(const ScheduleConfig& schedule, int trunk_width, std::uint64_t step,
                     std::uint64_t steps);

}  // namespace aleph::train
