// Knights, bishops, rooks and queens, each by itself: where it stands, how freely it moves.
#pragma once

#include "eval/classical/attack_map.h"

namespace aleph::eval::classical {

// Enters what these pieces attack, their mobility and their attack on the king into the scene.
MgEg score_pieces(Scene& scene, Color us, PieceType type);

}  // namespace aleph::eval::classical
