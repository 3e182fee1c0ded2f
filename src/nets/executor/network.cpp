#include "nets/executor/network.h"

#include <algorithm>
#include <cassert>

#include "nets/executor/plan.h"
#include "nets/graph/build.h"

namespace aleph::nets {
namespace {

// Numbers of one position in the step of this kind, 0 if there is none.
std::size_t input_size(const Graph& graph, step::Input::Kind kind) {
  for (const Step& step : graph.steps)
    if (const auto* const input = std::get_if<step::Input>(&step))
      if (input->kind == kind) return input->shape.size();
  return 0;
}

// Those of positions from `first` on.
template <class Number>
std::span<const Number> part_of(std::span<const Number> all, std::size_t size, std::size_t first,
                                std::size_t positions) {
  return size == 0 ? std::span<const Number>() : all.subspan(first * size, positions * size);
}

}  // namespace

Network::Workspace::Workspace(std::unique_ptr<Memory> memory) : memory_(std::move(memory)) {}
Network::Workspace::~Workspace() = default;

Network::Network(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;
Network::~Network() = default;

Result<Network> Network::make(const NetFile& file, Precision precision) {
  Result<Graph> graph = build_graph(file.spec);
  if (!graph.ok()) return Error{graph.error()};
  Result<Network> network = make(graph.take(), file.tensors, precision);
  if (!network.ok()) return network;
  Network made = network.take();
  made.plan_->spec = file.spec;
  return made;
}

Result<Network> Network::make(Graph graph, const Tensors& tensors, Precision precision,
                              const kernels::Kernels* kernels) {
  auto plan = Plan::make(std::move(graph), tensors, precision,
                         kernels != nullptr ? *kernels : kernels::best_kernels());
  if (!plan.ok()) return Error{plan.error()};
  return Network(plan.take());
}

const NetSpec& Network::spec() const { return plan_->spec; }
const Graph& Network::graph() const { return plan_->graph; }
Precision Network::precision() const { return plan_->precision; }

std::unique_ptr<Network::Workspace> Network::workspace(std::size_t most_positions) const {
  const std::size_t capacity = std::clamp<std::size_t>(most_positions, 1, plan_->most_at_once);
  return std::make_unique<Workspace>(std::make_unique<Workspace::Memory>(*plan_, capacity));
}

void Network::run(Workspace& workspace, std::size_t positions, const Inputs& inputs,
                  std::span<const std::span<float>> outputs) const {
  assert(outputs.size() == plan_->graph.outputs.size());
  const std::size_t planes = input_size(plan_->graph, step::Input::Kind::Planes);
  const std::size_t tokens = input_size(plan_->graph, step::Input::Kind::Tokens);
  const std::size_t context = input_size(plan_->graph, step::Input::Kind::Context);
  // Parts of nearly equal size.
  const std::size_t capacity = workspace.memory().capacity;
  const std::size_t parts = (positions + capacity - 1) / capacity;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t first = positions * part / parts;
    const std::size_t count = positions * (part + 1) / parts - first;
    const Inputs these{part_of(inputs.planes, planes, first, count),
                       part_of(inputs.tokens, tokens, first, count),
                       part_of(inputs.context, context, first, count)};
    plan_->run_part(workspace.memory(), count, these, outputs, first);
  }
}

}  // namespace aleph::nets
