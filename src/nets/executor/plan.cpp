#include "nets/executor/plan.h"

#include <algorithm>

#include "nets/executor/fusion.h"
#include "nets/executor/layers.h"
#include "nets/executor/quantize.h"
#include "nets/executor/step_operations.h"

namespace aleph::nets {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// Reshaped values share the place of what they were made of.
std::vector<ValueId> shared_places(const Graph& graph) {
  std::vector<ValueId> same(graph.steps.size());
  for (std::size_t i = 0; i < same.size(); ++i) {
    const auto* const reshape = std::get_if<step::Reshape>(&graph.steps[i]);
    same[i] = reshape != nullptr ? same[index(reshape->in)] : static_cast<ValueId>(i);
  }
  return same;
}

std::vector<std::uint64_t> find_wanted(const Graph& graph,
                                       std::span<const std::unique_ptr<Operation>> operations,
                                       std::span<const ValueId> same) {
  std::vector<std::uint64_t> values(graph.steps.size()), wanted(operations.size());
  for (std::size_t i = 0; i < graph.outputs.size(); ++i)
    values[index(same[index(graph.outputs[i].value)])] |= std::uint64_t{1} << (i % 64);
  for (std::size_t i = operations.size(); i-- > 0;) {
    wanted[i] = values[index(operations[i]->output())];
    for (const ValueId input : operations[i]->inputs())
      values[index(same[index(input)])] |= wanted[i];
  }
  return wanted;
}

// As many positions as keep two of the largest values within a share of the cache.
std::size_t positions_at_once(const Graph& graph) {
  constexpr std::size_t kBytes = 1 << 20;
  std::size_t largest = 1;
  for (const Shape& shape : graph.shapes) largest = std::max(largest, shape.size());
  return std::clamp<std::size_t>(kBytes / (largest * sizeof(float)), 4, 32);
}

}  // namespace

Result<std::unique_ptr<Network::Plan>> Network::Plan::make(Graph graph, const Tensors& tensors,
                                                           Precision precision,
                                                           const kernels::Kernels& kernels) {
  if (const Status there = GraphTensors(graph, tensors).check(); !there.ok())
    return Error{there.error()};
  const Tensors bytes = precision == Precision::Int8 ? quantize(graph, tensors) : Tensors();
  auto plan = std::make_unique<Plan>();
  plan->graph = std::move(graph);
  plan->precision = precision;
  plan->kernels = &kernels;
  const Graph& steps = plan->graph;
  const GraphTensors used(steps, precision == Precision::Int8 ? bytes : tensors);
  const Fusion fusion = find_chains(steps);
  for (std::size_t i = 0; i < steps.steps.size(); ++i) {
    if (fusion.inside[i]) continue;
    auto operation = fusion.chains[i]
                         ? make_layer(steps, used, *fusion.chains[i], precision, plan->weights)
                         : make_step_operation(steps, used, static_cast<ValueId>(i), plan->weights);
    if (operation) plan->operations.push_back(std::move(operation));
  }
  const std::vector<ValueId> same = shared_places(steps);
  std::vector<ValueId> kept;
  for (const Graph::Output& output : steps.outputs) kept.push_back(output.value);
  plan->wanted_by = find_wanted(steps, plan->operations, same);
  plan->buffers = place_values(steps, plan->operations, same, kept);
  plan->most_at_once = positions_at_once(steps);
  return plan;
}

void Network::Plan::run_part(Workspace::Memory& memory, std::size_t positions, const Inputs& inputs,
                             std::span<const std::span<float>> outputs, std::size_t first) const {
  Rounded rounded{memory.rounded.data()};
  const Frame frame{
      *kernels, graph, inputs, positions, memory.arena.data(), memory.places, memory.scratch.data(),
      rounded};
  std::uint64_t wanted = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i].empty()) wanted |= std::uint64_t{1} << (i % 64);
  for (std::size_t i = 0; i < operations.size(); ++i)
    if ((wanted_by[i] & wanted) != 0) operations[i]->run(frame);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].empty()) continue;
    const ValueId value = graph.outputs[i].value;
    const std::size_t size = frame.shape(value).size();
    std::copy_n(frame.value(value), positions * size,
                outputs[i].subspan(first * size, positions * size).begin());
  }
}

Network::Workspace::Memory::Memory(const Plan& plan, std::size_t most_positions)
    : capacity(most_positions), arena(plan.buffers.size * capacity), places(plan.buffers.places) {
  for (std::size_t& place : places) place *= capacity;
  std::size_t most = 0, most_rounded = 0;
  for (const auto& operation : plan.operations) {
    most = std::max(most, operation->scratch(capacity));
    most_rounded = std::max(most_rounded, operation->rounded(capacity));
  }
  scratch = LargeArray<float>(most);
  rounded = LargeArray<float>(most_rounded);
}

}  // namespace aleph::nets
