// Operations with weights: linear layers, convolutions, squeeze and excitation.
#pragma once

#include <memory>

#include "nets/executor/fusion.h"
#include "nets/executor/operation.h"
#include "nets/executor/weight_rows.h"
#include "nets/executor/weight_store.h"

namespace aleph::nets {

// The tensors of a graph by their numbers in it.
class GraphTensors {
 public:
  GraphTensors(const Graph& graph, const Tensors& tensors) : graph_(graph), tensors_(tensors) {}
  // All there, and as large as the graph wants them?
  Status check() const;
  const Tensor& at(TensorId id) const {
    return tensors_.find(graph_.tensors[static_cast<std::size_t>(id)].name)->second;
  }
  std::vector<float> floats(TensorId id) const;
  std::vector<float> floats(std::optional<TensorId> id) const {
    return id ? floats(*id) : std::vector<float>();
  }

 private:
  const Graph& graph_;
  const Tensors& tensors_;
};

std::unique_ptr<Operation> make_layer(const Graph& graph, const GraphTensors& tensors,
                                      const LayerChain& chain, Precision precision,
                                      WeightStore& store);
std::unique_ptr<Operation> make_squeeze_excite(const GraphTensors& tensors,
                                               const step::SqueezeExcite& step, ValueId output,
                                               WeightStore& store);

}  // namespace aleph::nets
