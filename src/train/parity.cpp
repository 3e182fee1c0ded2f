#include "train/parity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "nets/executor/network.h"
#include "nets/graph/build.h"
#include "nets/spec/names.h"
#include "train/model.h"
#include "train/random_samples.h"

namespace aleph::train {
namespace {

constexpr std::size_t kTogether = 32;  // positions
constexpr std::uint64_t kSeed = 2024;

struct Answering {
  const nets::Network& network;
  nets::Network::Workspace& workspace;
  Answers answers;

  void run(const Samples& samples, Rows rows) {
    const auto part = [&](const auto& numbers) {
      const std::size_t width = numbers.size() / samples.size;
      return std::span(numbers).subspan(rows.first * width, rows.count * width);
    };
    const nets::Graph& graph = network.graph();
    answers.resize(graph.outputs.size());
    std::vector<std::span<float>> outputs;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const auto value = static_cast<std::size_t>(graph.outputs[i].value);
      answers[i].resize(rows.count * graph.shapes[value].size());
      outputs.push_back(answers[i]);
    }
    network.run(workspace, rows.count,
                {part(samples.planes), part(samples.tokens), part(samples.context)}, outputs);
  }
};

// A difference that is not a number is larger than all others.
double larger(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

void compare(const std::vector<float>& engine, const std::vector<float>& torch,
             ParityReport::Head& head) {
  for (std::size_t i = 0; i < torch.size(); ++i) {
    const double difference = std::abs(double{engine[i]} - torch[i]);
    head.max_difference = larger(head.max_difference, difference);
    head.mean_difference += difference;  // the sum, for now
    head.scale = std::max(head.scale, std::abs(double{torch[i]}));
  }
}

}  // namespace

double ParityReport::max_difference() const {
  double most = 0;
  for (const Head& head : heads) most = larger(most, head.max_difference);
  return most;
}

Result<ParityReport> check_parity(const nets::NetFile& file, std::size_t positions) {
  Result<nets::Network> network = nets::Network::make(file);
  if (!network.ok()) return Error{network.error()};
  Result<nets::Graph> graph = nets::build_graph(file.spec);
  if (!graph.ok()) return Error{graph.error()};
  const FlatLayout layout(graph.value());
  const Flat weights = flat_of(graph.value(), layout, file.tensors);
  Result<std::unique_ptr<Model>> model =
      Model::make(file.spec, graph.value(), layout, weights, {.learns = false});
  if (!model.ok()) return Error{model.error()};
  Result<Samples> samples = random_samples(file.spec, positions, kSeed);
  if (!samples.ok()) return Error{samples.error()};

  ParityReport report{.positions = positions, .heads = {}};
  for (const nets::Graph::Output& output : graph.value().outputs)
    report.heads.push_back({.name = std::string(nets::name_of(output.head.kind))});
  const auto workspace = network.value().workspace(kTogether);
  Answering engine{network.value(), *workspace, {}};
  std::vector<std::size_t> numbers(report.heads.size(), 0);
  Answers torch;
  for (Rows rows; rows.first < positions; rows.first += rows.count) {
    rows.count = std::min(kTogether, positions - rows.first);
    engine.run(samples.value(), rows);
    try {
      model.value()->evaluate(samples.value(), rows, torch);
    } catch (const std::exception& problem) {
      return Error{fmt::format("torch cannot run the network: {}", problem.what())};
    }
    for (std::size_t i = 0; i < torch.size(); ++i) {
      compare(engine.answers[i], torch[i], report.heads[i]);
      numbers[i] += torch[i].size();
    }
  }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] > 0) report.heads[i].mean_difference /= static_cast<double>(numbers[i]);
  return report;
}

}  // namespace aleph::train
