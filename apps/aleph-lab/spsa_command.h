#pragma once

#include "common/command_table.h"

namespace aleph::apps {

int run_spsa(Arguments arguments);  // aleph spsa: tunes the options of an engine by games

}  // namespace aleph::apps
