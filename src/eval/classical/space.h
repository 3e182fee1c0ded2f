// Room behind one's own pawns, while there are many pieces that need it.
#pragma once

#include "eval/classical/attack_map.h"

namespace aleph::eval::classical {

// All pieces must have been entered into the scene.
MgEg score_space(const Scene& scene, Color us);

}  // namespace aleph::eval::classical
