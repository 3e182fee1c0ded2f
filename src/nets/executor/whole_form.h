// Which layers are multiplied as bytes for int8, and which are not fine enough that way.
#pragma once

#include "nets/executor/matrix.h"
#include "nets/executor/winograd.h"
#include "nets/graph/graph.h"

namespace aleph::nets {

// Does the layer at this step read inputs of the network? They are not alike: planes of ones and
// zeros stand beside counts of moves up to a hundred, and their weights differ as much.
bool reads_inputs(const Graph& graph, int layer);

// Does it read what comes out of a norm? A few of those numbers may be far larger than the others,
// so that bytes are too coarse for the rest.
bool reads_norm(const Graph& graph, int layer);

// Of the linear layer, or convolution of 1x1, at this step, if its weights allow (matrix.h).
Matrix::Form whole_form(const Graph& graph, int layer);
// Of the convolution of 3x3 at this step.
WinogradForm whole_winograd(const Graph& graph, int layer);

}  // namespace aleph::nets
