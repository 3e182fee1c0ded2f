#include "nets/graph/builder.h"

#include "nets/graph/shape_of.h"

namespace aleph::nets {

ValueId GraphBuilder::add(Step step) {
  Result<Shape> shape = shape_of(step, graph_);
  if (!shape.ok() && problem_.empty()) problem_ = shape.error();
  graph_.shapes.push_back(shape.ok() ? shape.value() : Shape{1, 1});
  graph_.steps.push_back(std::move(step));
  return static_cast<ValueId>(graph_.steps.size()) - 1;
}

TensorId GraphBuilder::parameter(std::string name, std::vector<int> shape) {
  graph_.tensors.push_back({std::move(name), std::move(shape), true});
  return static_cast<TensorId>(graph_.tensors.size()) - 1;
}

TensorId GraphBuilder::buffer(std::string name, std::vector<int> shape) {
  graph_.tensors.push_back({std::move(name), std::move(shape), false});
  return static_cast<TensorId>(graph_.tensors.size()) - 1;
}

ValueId GraphBuilder::linear(ValueId in, const std::string& name, int out, LinearOptions options) {
  step::Linear step{.in = in, .activation = options.activation};
  step.weight = parameter(name + ".weight", {out, width(in)});
  if (options.bias) step.bias = parameter(name + ".bias", {out});
  return add(step);
}

ValueId GraphBuilder::convolution3x3(ValueId in, const std::string& name, int out,
                                     LinearOptions options) {
  step::Convolution step{.in = in, .size = 3, .activation = options.activation};
  step.weight = parameter(name + ".weight", {out, width(in), 3, 3});
  if (options.bias) step.bias = parameter(name + ".bias", {out});
  return add(step);
}

ValueId GraphBuilder::batch_norm(ValueId in, const std::string& name, Activation activation) {
  const std::vector<int> shape{width(in)};
  step::BatchNorm step{.in = in, .activation = activation};
  step.gain = parameter(name + ".weight", shape);
  step.shift = parameter(name + ".bias", shape);
  step.mean = buffer(name + ".mean", shape);
  step.variance = buffer(name + ".variance", shape);
  return add(step);
}

ValueId GraphBuilder::norm(ValueId in, const std::string& name, NormKind kind, double epsilon) {
  step::Norm step{.in = in, .kind = kind, .epsilon = static_cast<float>(epsilon)};
  step.gain = parameter(name + ".weight", {width(in)});
  if (kind == NormKind::LayerNorm) step.shift = parameter(name + ".bias", {width(in)});
  return add(step);
}

ValueId GraphBuilder::flat(ValueId in) {
  if (rows(in) == 1) return in;
  return add(step::Reshape{in, {1, rows(in) * width(in)}});
}

ValueId GraphBuilder::flat_by_columns(ValueId in) {
  if (rows(in) == 1) return in;
  return flat(add(step::Transpose{in}));
}

ValueId GraphBuilder::take_rows(ValueId in, int first, int count) {
  if (first == 0 && count == rows(in)) return in;
  return add(step::TakeRows{in, first, count});
}

Result<Graph> GraphBuilder::finish() {
  if (!problem_.empty()) return Error{problem_};
  return std::move(graph_);
}

}  // namespace aleph::nets
