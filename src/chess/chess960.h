// The 960 starting positions by their Scharnagl numbers; 518 is the ordinary one.
#pragma once

#include "chess/setup.h"

namespace aleph::chess {

inline constexpr int kChess960Positions = 960;

Setup chess960_setup(int number);  // 0 .. 959

}  // namespace aleph::chess
