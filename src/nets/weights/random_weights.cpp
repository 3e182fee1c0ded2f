#include "nets/weights/random_weights.h"

#include <cmath>

#include "base/overloaded.h"

namespace aleph::nets {

namespace {

// Those that are factors of numbers which should stay as large as they are.
std::vector<bool> tensors_near_one(const Graph& graph) {
  std::vector<bool> near_one(graph.tensors.size(), false);
  const auto mark = [&](std::optional<TensorId> tensor) {
    if (tensor) near_one[static_cast<std::size_t>(*tensor)] = true;
  };
  for (const Step& any : graph.steps)
    std::visit(Overloaded{
                   [&](const step::BatchNorm& s) { mark(s.gain), mark(s.variance); },
                   [&](const step::Norm& s) { mark(s.gain); },
                   [&](const step::Gate& s) { mark(s.factor); },
                   [&](const step::Attention& s) { mark(s.query_gain), mark(s.key_gain); },
                   [](const auto&) {},
               },
               any);
  return near_one;
}

}  // namespace

Tensors random_weights(const Graph& graph, Rng& rng) {
  constexpr double kNear = 0.1;
  const std::vector<bool> near_one = tensors_near_one(graph);
  Tensors tensors;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const TensorSpec& spec = graph.tensors[i];
    const bool is_matrix = spec.shape.size() > 1 && !near_one[i];
    const double inputs = is_matrix ? static_cast<double>(spec.size()) / spec.shape[0] : 1;
    // Uniform numbers within this have a variance of 1 / inputs.
    const double spread = is_matrix ? std::sqrt(3 / inputs) : kNear;
    Tensor& tensor = tensors[spec.name];
    tensor.shape = spec.shape;
    tensor.numbers.resize(spec.size());
    for (float& number : tensor.numbers)
      number = static_cast<float>((near_one[i] ? 1 : 0) + spread * (2 * rng.uniform() - 1));
  }
  return tensors;
}

}  // namespace aleph::nets
