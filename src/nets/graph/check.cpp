#include "nets/graph/check.h"

#include <fmt/format.h>

#include <set>

#include "nets/graph/shape_of.h"

namespace aleph::nets {
namespace {

Status check_tensors(const Graph& graph) {
  std::set<std::string> names;
  for (const TensorSpec& tensor : graph.tensors) {
    if (tensor.name.empty()) return Error{"a tensor has no name"};
    if (!names.insert(tensor.name).second)
      return Error{fmt::format("tensor {} is there twice", tensor.name)};
    if (tensor.shape.empty()) return Error{fmt::format("tensor {} has no shape", tensor.name)};
    for (const int length : tensor.shape)
      if (length < 1) return Error{fmt::format("tensor {} has no numbers", tensor.name)};
  }
  return Status::success();
}

}  // namespace

int outputs_of(HeadKind kind) {
  switch (kind) {
    case HeadKind::FromTo: return 128;
    case HeadKind::Move4096:
    case HeadKind::Attention4096: return 4096;
    case HeadKind::Promotion4: return 4;
    case HeadKind::Policy1858: return 1858;
    case HeadKind::Policy4352: return 4352;
    case HeadKind::Wdl: return 3;
    case HeadKind::Value:
    case HeadKind::MovesLeft:
    case HeadKind::ThinkTime: return 1;
  }
  return 0;
}

Status check_graph(const Graph& graph) {
  if (Status status = check_tensors(graph); !status.ok()) return status;
  if (graph.shapes.size() != graph.steps.size())
    return Error{fmt::format("{} steps have {} shapes", graph.steps.size(), graph.shapes.size())};
  // Grows with the steps, so that a step sees only what comes before it.
  Graph before;
  before.tensors = graph.tensors;
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    const Result<Shape> shape = shape_of(graph.steps[i], before);
    if (!shape.ok()) return Error{fmt::format("step {}: {}", i, shape.error())};
    if (shape.value() != graph.shapes[i])
      return Error{fmt::format("step {}: {} makes {} x {} numbers, not {} x {}", i,
                               name_of(graph.steps[i]), shape.value().rows, shape.value().width,
                               graph.shapes[i].rows, graph.shapes[i].width)};
    before.shapes.push_back(shape.value());
  }
  for (const Graph::Output& output : graph.outputs) {
    if (output.value < 0 || static_cast<std::size_t>(output.value) >= graph.shapes.size())
      return Error{fmt::format("an output is value {}, which is not there", output.value)};
    const Shape shape = graph.shapes[static_cast<std::size_t>(output.value)];
    if (shape != Shape{1, outputs_of(output.head.kind)})
      return Error{fmt::format("an output has {} x {} numbers, not 1 x {}", shape.rows, shape.width,
                               outputs_of(output.head.kind))};
  }
  return Status::success();
}

}  // namespace aleph::nets
