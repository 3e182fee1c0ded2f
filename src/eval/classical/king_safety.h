// How safe a king is: its pawns, the checks that threaten, the squares around it.
#pragma once

#include "eval/classical/attack_map.h"

namespace aleph::eval::classical {

// All pieces must have been entered into the scene.
MgEg score_king(const Scene& scene, Color us);

}  // namespace aleph::eval::classical
