#pragma once

#include "common/command_table.h"

namespace aleph::apps {

// aleph evaluate quantiles: how honest a quantile network is.
int run_evaluate(Arguments arguments);

}  // namespace aleph::apps
