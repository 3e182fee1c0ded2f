#pragma once

#include "common/command_table.h"

namespace aleph::apps {

// aleph match --engine ... --engine ...: plays engines against each other.
int run_match(Arguments arguments);

}  // namespace aleph::apps
