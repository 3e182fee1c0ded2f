// Weights as bytes: a quarter of the size, and faster.
#pragma once

#include "nets/executor/calibration.h"
#include "nets/graph/graph.h"
#include "nets/weights/net_file.h"

namespace aleph::nets {

// Weights of linear layers and convolutions become bytes with a scale for each output, or several,
// where the layer is large enough to gain by it; the rest stays as it is.
//
// With a calibration the weights of linear layers are rounded so that their outputs change least
// (round_weights.h), and biases make up for what is left of it in the mean; without, each weight
// goes to the nearest byte. Layers behind norms have several scales, which means that they are
// multiplied in words (matrix.h), unless the calibration shows that bytes suffice.
Tensors quantize(const Graph& graph, const Tensors& tensors,
                 const Calibration* calibration = nullptr);

}  // namespace aleph::nets
