#pragma once

#include "common/command_table.h"

namespace aleph::apps {

// aleph policy [FEN] [--net NAME]: the moves a dense network would play, and its verdict.
int run_policy(Arguments arguments);

}  // namespace aleph::apps
