#include "nets/graph/graph.h"

#include "base/overloaded.h"

namespace aleph::nets {
namespace {

double rows_of(const Graph& graph, ValueId id) {
  return graph.shapes[static_cast<std::size_t>(id)].rows;
}
double size_of(const Graph& graph, ValueId id) {
  return static_cast<double>(graph.shapes[static_cast<std::size_t>(id)].size());
}
double tensor_size(const Graph& graph, TensorId id) {
  return static_cast<double>(graph.tensors[static_cast<std::size_t>(id)].size());
}

// What roots and exponentials cost is not counted: they are few beside the products.
double flops_of(const Graph& graph, const Step& step, const Shape& shape) {
  const double numbers = static_cast<double>(shape.size());
  return std::visit(
      Overloaded{
          [&](const step::Embed& s) { return numbers * ((s.positions ? 1 : 0) + (s.scale != 1)); },
          [&](const step::Linear& s) {
            return shape.rows * 2 * tensor_size(graph, s.weight) + (s.bias ? numbers : 0);
          },
          [&](const step::Convolution& s) {
            return shape.rows * 2 * tensor_size(graph, s.weight) + (s.bias ? numbers : 0);
          },
          [&](const step::BatchNorm&) { return 2 * numbers; },
          // Mean, variance, and a factor and a term.
          [&](const step::Norm&) { return 6 * numbers; },
          [&](const step::Add& s) { return numbers * (s.scale == 1 ? 1 : 2); },
          [&](const step::Gate& s) { return numbers * ((s.factor ? 1 : 0) + (s.term ? 1 : 0)); },
          [&](const step::Attention& s) {
            const double scores =
                s.heads * rows_of(graph, s.queries.value) * rows_of(graph, s.keys.value);
            return scores * (4 * s.depth + 1 + (s.bias || s.relative_bias ? 1 : 0)) +
                   (s.query_gain ? 8 * numbers : 0);
          },
          [&](const step::SqueezeExcite& s) {
            return 4 * numbers +
                   2 * (tensor_size(graph, s.weight1) + tensor_size(graph, s.weight2));
          },
          [&](const step::MeanRows& s) { return size_of(graph, s.in); },
          [&](const step::PairScores& s) {
            return 2 * rows_of(graph, s.b) * size_of(graph, s.a) + numbers;
          },
          [&](const step::PromotionScores&) { return 3 * numbers; },
          [](const auto&) { return 0.0; },
      },
      step);
}

}  // namespace

std::size_t TensorSpec::size() const {
  std::size_t product = 1;
  for (const int length : shape) product *= static_cast<std::size_t>(length);
  return product;
}

std::size_t Graph::parameters() const {
  std::size_t sum = 0;
  for (const TensorSpec& tensor : tensors)
    if (tensor.is_parameter) sum += tensor.size();
  return sum;
}

double Graph::flops() const {
  double sum = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) sum += flops_of(*this, steps[i], shapes[i]);
  return sum;
}

const Graph::Output* Graph::find(HeadKind kind) const {
  for (const Output& output : outputs)
    if (output.head.kind == kind) return &output;
  return nullptr;
}

}  // namespace aleph::nets
