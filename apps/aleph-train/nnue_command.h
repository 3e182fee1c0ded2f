#pragma once

#include <string>

#include "common/command_table.h"

namespace aleph::apps {

// Trains the network of a config of kind nnue; out: instead of the config's folder, unless empty.
int train_nnue(const std::string& config, bool resume, const std::string& out);

int run_nnue_baseline(Arguments arguments);  // writes the one that only counts material
int run_nnue_speed(Arguments arguments);     // positions a second, against libtorch

}  // namespace aleph::apps
