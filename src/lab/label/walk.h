// Positions that games never reach but a search does: some random moves away from given ones,
// pieces hanging, material up or down. A network that learns from games alone knows nothing of
// them.
#pragma once

#include <cstdint>

#include "base/rng.h"
#include "chess/move_list.h"
#include "chess/position.h"
#include "lab/label/positions.h"

namespace aleph::lab {

struct WalkSettings {
  int longest = 0;        // plies: each walk has 1 .. longest of them; 0: nobody walks
  double share = 0.5;     // of the positions that are replaced by the end of a walk
  double captures = 0.3;  // how often a move that takes is chosen, where there is one
  std::uint64_t seed = 1;
};

// One of these legal moves; with a chance of `captures` one that takes, if there is any.
chess::Move random_move(const chess::Position& position, const chess::MoveList& moves,
                        double captures, Rng& rng);

// A walk that comes to a mate or stalemate stops before it. Positions that walked have no outcome.
// What becomes of a position depends on its place in the list and the seed, not on `threads`.
void walk_positions(PositionList& list, const WalkSettings& settings, std::size_t threads);

}  // namespace aleph::lab
