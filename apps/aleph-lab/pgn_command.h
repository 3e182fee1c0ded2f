#pragma once

#include "common/command_table.h"

namespace aleph::apps {

// aleph pgn stats FILE...: reads games, checks every move, and says what is there.
int run_pgn(Arguments arguments);

}  // namespace aleph::apps
