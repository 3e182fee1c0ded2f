#pragma once

#include "common/command_table.h"

namespace aleph::apps {

int run_analyse(Arguments arguments);  // aleph analyse: evaluation and certainty for every move

}  // namespace aleph::apps
