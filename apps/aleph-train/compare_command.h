#pragma once

#include "common/command_table.h"

namespace aleph::apps {

int run_train_compare(Arguments arguments);

}  // namespace aleph::apps
