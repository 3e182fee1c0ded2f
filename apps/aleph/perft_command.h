#pragma once

#include "common/command_table.h"

namespace aleph::apps {

// aleph perft DEPTH [FEN]: counts legal move paths, split by first move.
int run_perft(Arguments arguments);

}  // namespace aleph::apps
