// Layers of a file, decoded and in the places that the graph has for them.
#pragma once

#include "base/result.h"
#include "nets/graph/graph.h"
#include "nets/leela/architecture.h"
#include "nets/weights/net_file.h"

namespace aleph::nets::leela {

// Batch norms are folded into weights and biases. Fails if a layer is missing or has not the length
// that the graph asks for.
Result<Tensors> fill_tensors(const Weights& weights, const Architecture& architecture,
                             const Graph& graph);

}  // namespace aleph::nets::leela
