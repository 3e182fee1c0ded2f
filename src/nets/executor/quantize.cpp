#include "nets/executor/quantize.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "nets/executor/whole_form.h"
#include "nets/kernels/packing.h"

namespace aleph::nets {
namespace {

constexpr std::size_t kLeastDepth = 64, kLeastColumns = 16;

// How the weights of a tensor are rounded: for products of bytes, or so many with one scale.
struct Way {
  bool for_byte_products = false;
  std::size_t run = 0;
};

// Products of bytes need one scale for an output. Others can have more, and those are finer. Inputs
// of the network, and so their weights, are of different kinds, hence one for each.
std::optional<Way> way_of(const Graph& graph, int layer) {
  const Step& step = graph.steps[static_cast<std::size_t>(layer)];
  if (const auto* const linear = std::get_if<step::Linear>(&step)) {
    if (reads_inputs(graph, layer)) return std::nullopt;
    if (whole_form(graph, layer) == Matrix::Form::Bytes) return Way{true, 0};
    const int depth = graph.shapes[static_cast<std::size_t>(linear->in)].width;
    return Way{false, depth % 64 == 0 ? 64U : static_cast<std::size_t>(depth)};
  }
  const auto* const convolution = std::get_if<step::Convolution>(&step);
  if (convolution == nullptr) return std::nullopt;
  const auto area = static_cast<std::size_t>(convolution->size * convolution->size);
  const int depth = graph.shapes[static_cast<std::size_t>(convolution->in)].width;
  if (reads_inputs(graph, layer)) return Way{false, area};
  if (convolution->size == 1 && whole_form(graph, layer) == Matrix::Form::Bytes)
    return Way{true, 0};
  const int together = depth % 8 == 0 ? 8 : 1;
  return Way{false, convolution->size == 1 ? static_cast<std::size_t>(depth)
                                           : static_cast<std::size_t>(together) * area};
}

// Of the layers of a graph. One that has several uses is rounded for products of bytes if one is.
std::map<TensorId, Way> weights_of_layers(const Graph& graph) {
  std::map<TensorId, Way> weights;
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    const std::optional<Way> way = way_of(graph, static_cast<int>(i));
    if (!way) continue;
    const auto* const linear = std::get_if<step::Linear>(&graph.steps[i]);
    const TensorId id =
        linear != nullptr ? linear->weight : std::get<step::Convolution>(graph.steps[i]).weight;
    const auto [found, is_new] = weights.emplace(id, *way);
    if (!is_new && way->for_byte_products) found->second = *way;
  }
  return weights;
}

float largest(std::span<const float> numbers) {
  float most = 0;
  for (const float number : numbers) most = std::max(most, std::abs(number));
  return most;
}

Tensor as_bytes(const Tensor& tensor, const Way& way) {
  const std::span<const float> numbers = tensor.numbers;
  const std::size_t depth = numbers.size() / static_cast<std::size_t>(tensor.shape[0]);
  const std::size_t run = way.for_byte_products ? depth : way.run;
  Tensor result{tensor.shape, {}, std::vector<std::int8_t>(numbers.size()), {}};
  for (std::size_t first = 0; first < numbers.size(); first += run) {
    const auto part = numbers.subspan(first, run);
    const float scale = way.for_byte_products ? kernels::byte_scale(part) : largest(part) / 127;
    result.scales.push_back(scale);
    if (scale < 1e-30F) continue;
    for (std::size_t i = 0; i < run; ++i)
      result.bytes[first + i] = static_cast<std::int8_t>(std::lround(part[i] / scale));
  }
  return result;
}

}  // namespace

Tensors quantize(const Graph& graph, const Tensors& tensors) {
  Tensors result = tensors;
  for (const auto& [id, way] : weights_of_layers(graph)) {
    const auto found = result.find(graph.tensors[static_cast<std::size_t>(id)].name);
    if (found == result.end() || found->second.is_int8() || found->second.shape.empty()) continue;
    const std::size_t columns = static_cast<std::size_t>(found->second.shape[0]);
    if (columns < kLeastColumns || found->second.numbers.size() / columns < kLeastDepth) continue;
    found->second = as_bytes(found->second, way);
  }
  return result;
}

}  // namespace aleph::nets
