#pragma once

#include "common/command_table.h"

namespace aleph::apps {

int run_doctor(Arguments arguments);

}  // namespace aleph::apps
