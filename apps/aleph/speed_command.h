#pragma once

#include "common/command_table.h"

namespace aleph::apps {

// aleph speed GAMES [--net NAME]: evaluations per second of a network on this machine.
int run_speed(Arguments arguments);

}  // namespace aleph::apps
