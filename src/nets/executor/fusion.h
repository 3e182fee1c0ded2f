// Which steps of a graph become one operation: a linear layer or convolution takes in the batch
// norm, the activation and the addition behind it, if nobody else wants what is in between.
#pragma once

#include <optional>
#include <vector>

#include "nets/graph/graph.h"

namespace aleph::nets {

// The values a step is made of.
std::vector<ValueId> operands(const Step& step);

// The layer at step `first` and what it took in; the last of them makes `result`.
struct LayerChain {
  int first = 0;
  ValueId result = 0;
  std::optional<step::BatchNorm> batch_norm;
  Activation activation = Activation::None;
  struct Residual {
    ValueId value = 0;
    float scale = 1, layer_scale = 1;
    Activation last = Activation::None;
  };
  std::optional<Residual> residual;
};

// By steps: the chain that this step ends, if it does.
struct Fusion {
  std::vector<std::optional<LayerChain>> chains;
  std::vector<bool> inside;  // steps that are part of a chain which ends elsewhere
};
Fusion find_chains(const Graph& graph);

}  // namespace aleph::nets
