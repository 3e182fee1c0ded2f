#pragma once

#include "base/result.h"
#include "nets/graph/graph.h"
#include "nets/weights/net_file.h"

namespace aleph::nets {

// The tensors are those of the graph: none missing, none besides, each in its shape, every number
// finite, and no variance negative.
Status check_tensors(const Graph& graph, const Tensors& tensors);

}  // namespace aleph::nets
