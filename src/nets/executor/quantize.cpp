#include "nets/executor/quantize.h"

#include <cmath>
#include <set>

#include "nets/kernels/packing.h"

namespace aleph::nets {
namespace {

constexpr std::size_t kLeastDepth = 64, kLeastColumns = 16;

// Only what layers alone use: a tensor may have other users, which want floats.
std::set<TensorId> weights_of_layers(const Graph& graph) {
  std::set<TensorId> weights;
  for (const Step& step : graph.steps) {
    if (const auto* const linear = std::get_if<step::Linear>(&step)) weights.insert(linear->weight);
    if (const auto* const convolution = std::get_if<step::Convolution>(&step))
      weights.insert(convolution->weight);
  }
  return weights;
}

Tensor as_bytes(const Tensor& tensor) {
  const std::size_t columns = static_cast<std::size_t>(tensor.shape[0]);
  const std::size_t depth = tensor.numbers.size() / columns;
  Tensor result{tensor.shape,
                {},
                std::vector<std::int8_t>(tensor.numbers.size()),
                std::vector<float>(columns)};
  for (std::size_t column = 0; column < columns; ++column) {
    const auto row = std::span<const float>(tensor.numbers).subspan(column * depth, depth);
    const float scale = kernels::byte_scale(row);
    if (scale == 0) continue;
    result.scales[column] = scale;
    for (std::size_t i = 0; i < depth; ++i)
      result.bytes[column * depth + i] = static_cast<std::int8_t>(std::lround(row[i] / scale));
  }
  return result;
}

}  // namespace

Tensors quantize(const Graph& graph, const Tensors& tensors) {
  Tensors result = tensors;
  for (const TensorId id : weights_of_layers(graph)) {
    const auto found = result.find(graph.tensors[static_cast<std::size_t>(id)].name);
    if (found == result.end() || found->second.is_int8() || found->second.shape.empty()) continue;
    const std::size_t columns = static_cast<std::size_t>(found->second.shape[0]);
    if (columns < kLeastColumns || found->second.numbers.size() / columns < kLeastDepth) continue;
    found->second = as_bytes(found->second);
  }
  return result;
}

}  // namespace aleph::nets
