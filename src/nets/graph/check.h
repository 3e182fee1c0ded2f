// Whether a graph holds together, wherever it came from.
#pragma once

#include "base/result.h"
#include "nets/graph/graph.h"

namespace aleph::nets {

// Every step is given only values of steps before it, and tensors that are there, of the shapes it
// needs; its own shape is the one that follows; names of tensors are unique; outputs are rows of
// the size their heads have.
Status check_graph(const Graph& graph);

// The numbers that a head answers with.
int outputs_of(HeadKind kind);

}  // namespace aleph::nets
