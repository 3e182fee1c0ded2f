// Graphs made by hand, with random weights: for tests of what runs them.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "nets/executor/network.h"

namespace aleph::nets {

class HandGraph {
 public:
  explicit HandGraph(std::uint64_t seed) : rng_(seed) {}

  Graph graph;
  Tensors tensors;

  // From -1 to 1.
  float random() {
    return static_cast<float>(static_cast<double>(rng_.next() >> 11) * 0x1p-53 * 2 - 1);
  }
  std::vector<float> randoms(std::size_t count, float scale = 1, float centre = 0) {
    std::vector<float> numbers(count);
    for (float& number : numbers) number = centre + scale * random();
    return numbers;
  }
  TensorId tensor(std::vector<int> shape, float scale = 1, float centre = 0) {
    std::size_t count = 1;
    for (const int extent : shape) count *= static_cast<std::size_t>(extent);
    const std::string name = "tensor" + std::to_string(graph.tensors.size());
    graph.tensors.push_back({name, shape, true});
    tensors[name] = {shape, randoms(count, scale, centre), {}, {}};
    return static_cast<TensorId>(graph.tensors.size()) - 1;
  }
  // Weights whose sums stay about as large as their inputs.
  TensorId weight(int out, int in) {
    return tensor({out, in}, static_cast<float>(1.7 / std::sqrt(in)));
  }
  ValueId add(Step step, int rows, int width) {
    graph.steps.push_back(std::move(step));
    graph.shapes.push_back({rows, width});
    return static_cast<ValueId>(graph.steps.size()) - 1;
  }
  Shape shape(ValueId id) const { return graph.shapes[static_cast<std::size_t>(id)]; }
  void output(ValueId id) { graph.outputs.push_back({{}, id}); }

  ValueId planes(int width, int rows = 64) {
    return add(step::Input{step::Input::Kind::Planes, {rows, width}}, rows, width);
  }
  ValueId linear(ValueId in, int width, Activation activation = Activation::None,
                 bool bias = true) {
    step::Linear step{in, weight(width, shape(in).width), {}, activation};
    if (bias) step.bias = tensor({width}, 0.1F);
    return add(step, shape(in).rows, width);
  }
  ValueId convolution(ValueId in, int width, int size, Activation activation = Activation::None,
                      bool bias = true) {
    const int inputs = shape(in).width;
    const float scale = static_cast<float>(1.7 / std::sqrt(inputs * size * size));
    step::Convolution step{in, tensor({width, inputs, size, size}, scale), {}, size, activation};
    if (bias) step.bias = tensor({width}, 0.1F);
    return add(step, 64, width);
  }
  ValueId batch_norm(ValueId in, Activation activation = Activation::None) {
    const int width = shape(in).width;
    return add(step::BatchNorm{in, tensor({width}, 0.5F, 1), tensor({width}, 0.2F),
                               tensor({width}, 0.2F), tensor({width}, 0.5F, 1), 1e-5F, activation},
               shape(in).rows, width);
  }
  ValueId norm(ValueId in, NormKind kind = NormKind::LayerNorm) {
    const int width = shape(in).width;
    step::Norm step{in, kind, tensor({width}, 0.5F, 1), {}, 1e-5F};
    if (kind == NormKind::LayerNorm) step.shift = tensor({width}, 0.2F);
    return add(step, shape(in).rows, width);
  }
  ValueId sum(ValueId a, ValueId b, float scale = 1, Activation activation = Activation::None) {
    return add(step::Add{a, b, scale, activation}, shape(a).rows, shape(a).width);
  }
  // Of one value that holds queries, keys and values side by side.
  ValueId attention(ValueId all, int heads) {
    const int width = shape(all).width / 3;
    return add(
        step::Attention{
            {all, 0}, {all, width}, {all, 2 * width}, heads, width / heads, {}, {}, {}, {}, 1e-6F},
        shape(all).rows, width);
  }
  ValueId squeeze_excite(ValueId in, ValueId residual, int hidden) {
    const int width = shape(in).width;
    return add(
        step::SqueezeExcite{in, residual, weight(hidden, width), tensor({hidden}, 0.1F),
                            weight(2 * width, hidden), tensor({2 * width}, 0.1F), Activation::Relu},
        shape(in).rows, width);
  }

 private:
  Rng rng_;
};

}  // namespace aleph::nets
