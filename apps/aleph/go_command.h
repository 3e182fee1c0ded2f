#pragma once

#include "common/command_table.h"

namespace aleph::apps {

int run_go(Arguments arguments);

}  // namespace aleph::apps
