#pragma once

#include "common/command_table.h"

namespace aleph::apps {

// aleph net import|list|info|verify: the networks on this machine.
int run_net(Arguments arguments);

}  // namespace aleph::apps
