// What each side attacks or could attack on its next move.
#pragma once

#include "eval/classical/attack_map.h"

namespace aleph::eval::classical {

// All pieces must have been entered into the scene.
MgEg score_threats(const Scene& scene, Color us);

}  // namespace aleph::eval::classical
