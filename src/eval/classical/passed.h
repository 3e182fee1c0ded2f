// Passed pawns, with the pieces that help or stop them.
#pragma once

#include "eval/classical/attack_map.h"

namespace aleph::eval::classical {

// All pieces must have been entered into the scene.
MgEg score_passed(const Scene& scene, Color us);

}  // namespace aleph::eval::classical
