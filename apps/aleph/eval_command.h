#pragma once

#include "common/command_table.h"

namespace aleph::apps {

// aleph eval [FEN] [--net NAME]: the static evaluation of a position, taken apart.
int run_eval(Arguments arguments);

}  // namespace aleph::apps
