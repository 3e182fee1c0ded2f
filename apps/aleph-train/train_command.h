#pragma once

#include "common/command_table.h"

namespace aleph::apps {

// train CONFIG.yml, and what belongs to it: train compare, train parity, train speed.
int run_train(Arguments arguments);

}  // namespace aleph::apps
