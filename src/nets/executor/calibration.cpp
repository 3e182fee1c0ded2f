#include "nets/executor/calibration.h"

#include <algorithm>

#include "nets/executor/fusion.h"
#include "nets/kernels/kernels.h"

namespace aleph::nets {
namespace {

constexpr std::size_t kTogether = 32;  // positions
constexpr int kMostWidth = 2048;       // moments are its square: wider layers are not looked at

std::size_t index(int i) { return static_cast<std::size_t>(i); }

bool is_layer(const Step& step) {
  const auto* const convolution = std::get_if<step::Convolution>(&step);
  return std::holds_alternative<step::Linear>(step) ||
         (convolution != nullptr && convolution->size == 1);
}

}  // namespace

Result<Calibration> Calibration::make(const Graph& graph, const Tensors& tensors,
                                      std::size_t positions, const Network::Inputs& inputs) {
  // The same network, with the inputs of its layers for outputs.
  Graph open = graph;
  open.outputs.clear();
  Calibration calibration;
  for (const Step& step : graph.steps) {
    if (!is_layer(step)) continue;
    const ValueId in = operands(step).front();
    if (graph.shapes[index(in)].width > kMostWidth) continue;
    if (!calibration.moments_.emplace(in, Moments(index(graph.shapes[index(in)].width))).second)
      continue;
    open.outputs.push_back({{}, in});
  }
  auto made = Network::make(open, tensors, Precision::Fp32);
  if (!made.ok()) return Error{made.error()};
  const Network network = made.take();
  const auto workspace = network.workspace(kTogether);
  std::vector<std::vector<float>> values;
  for (const Graph::Output& output : open.outputs)
    values.emplace_back(kTogether * graph.shapes[index(output.value)].size());
  const auto part = [&](auto numbers, std::size_t first, std::size_t count) {
    const std::size_t size = numbers.size() / positions;
    return numbers.subspan(first * size, count * size);
  };
  for (std::size_t first = 0; first < positions; first += kTogether) {
    const std::size_t count = std::min(kTogether, positions - first);
    const std::vector<std::span<float>> spans(values.begin(), values.end());
    network.run(*workspace, count,
                {part(inputs.planes, first, count), part(inputs.tokens, first, count),
                 part(inputs.context, first, count)},
                spans);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Shape shape = graph.shapes[index(open.outputs[i].value)];
      const std::size_t width = index(shape.width);
      calibration.moments_.at(open.outputs[i].value)
          .add(kernels::best_kernels(),
               {values[i].data(), width, count * index(shape.rows), width});
    }
  }
  // Networks out of all order are rounded as if nothing were known of them.
  std::erase_if(calibration.moments_, [](const auto& one) { return !one.second.is_finite(); });
  return calibration;
}

const Moments* Calibration::of(const Graph& graph, int layer) const {
  if (!is_layer(graph.steps[index(layer)])) return nullptr;
  const auto found = moments_.find(operands(graph.steps[index(layer)]).front());
  return found != moments_.end() && found->second.rows() > 0 ? &found->second : nullptr;
}

}  // namespace aleph::nets
