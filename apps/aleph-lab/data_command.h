#pragma once

#include "common/command_table.h"

namespace aleph::apps {

// aleph data ...: from games to datasets.
int run_data(Arguments arguments);

}  // namespace aleph::apps
