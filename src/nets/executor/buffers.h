// Where values live: in one arena, in places that others had before if those are no longer wanted.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "nets/executor/operation.h"

namespace aleph::nets {

struct Buffers {
  std::vector<std::size_t>
      places;            // of values, in floats, for one position: multiply by their count
  std::size_t size = 0;  // of the arena, as above
};

// `same[v]`: the value whose place v shares (itself, unless v is a reshaped one). `kept`: values
// that are wanted after the last operation.
Buffers place_values(const Graph& graph, std::span<const std::unique_ptr<Operation>> operations,
                     std::span<const ValueId> same, std::span<const ValueId> kept);

}  // namespace aleph::nets
