// Positions that a search asks about: nobody would play into most of them, and a network that
// says how sure it is must know them. A short search starts at each given position, and one
// of the positions that it evaluated takes the place of the given one.
#pragma once

#include <cstdint>
#include <functional>

#include "base/child_process.h"
#include "eval/nnue_evaluator.h"
#include "lab/label/positions.h"

namespace aleph::lab {

struct SearchNodeSettings {
  std::uint64_t nodes = 0;  // of each search; 0: positions stay as they are
  std::uint64_t seed = 1;
};

// Called for every position, by one thread at a time.
using SearchNodeProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

// All evaluated positions of a search are equally likely to be taken; none is in check. They have
// no outcome, and keep the game of the given position. A position without a legal move stays. What
// becomes of a position depends on the list, the models and the settings, not on `threads`. False:
// interrupted, and the list is to be thrown away.
bool replace_by_search_nodes(PositionList& list, const SearchNodeSettings& settings,
                             const eval::NnueModels& models, std::size_t threads,
                             const Interrupt& interrupt, const SearchNodeProgress& on_progress);

}  // namespace aleph::lab
