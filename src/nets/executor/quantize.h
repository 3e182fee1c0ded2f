// Weights as bytes: a quarter of the size, and faster.
#pragma once

#include "nets/graph/graph.h"
#include "nets/weights/net_file.h"

namespace aleph::nets {

// Weights of linear layers and convolutions become bytes with a scale for each output, where the
// layer is large enough to gain by it; the rest stays as it is.
Tensors quantize(const Graph& graph, const Tensors& tensors);

}  // namespace aleph::nets
