// Weights of a network that has learned nothing: for measuring speed, and for tests.
#pragma once

#include "base/rng.h"
#include "nets/graph/graph.h"
#include "nets/weights/net_file.h"

namespace aleph::nets {

// Such that numbers neither grow nor fade on their way: matrices by their inputs, gains and
// variances near 1, all else near 0. The same seed gives the same weights.
Tensors random_weights(const Graph& graph, Rng& rng);

}  // namespace aleph::nets
