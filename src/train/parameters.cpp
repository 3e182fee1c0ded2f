#include "train/parameters.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/overloaded.h"
#include "base/rng.h"

namespace aleph::train {
namespace {

using namespace nets;

std::size_t index(int id) { return static_cast<std::size_t>(id); }

// Whole cache lines.
std::size_t rounded_up(std::size_t numbers) {
  constexpr std::size_t kLine = kCacheLine / sizeof(float);
  return (numbers + kLine - 1) / kLine * kLine;
}

// Values that go into a batch norm.
std::vector<bool> before_batch_norms(const Graph& graph) {
  std::vector<bool> before(graph.steps.size(), false);
  for (const Step& step : graph.steps)
    if (const auto* const norm = std::get_if<step::BatchNorm>(&step))
      before[index(norm->in)] = true;
  return before;
}

// Two numbers of the normal distribution (Box and Muller) are made at once; one is enough here.
double normal(Rng& rng) {
  const double radius = std::sqrt(-2 * std::log(1 - rng.uniform()));
  return radius * std::cos(2 * std::numbers::pi * rng.uniform());
}

void initialise(const TensorSpec& spec, TensorRole role, std::span<float> numbers, Rng& rng) {
  const auto fill = [&](auto&& draw) {
    for (float& number : numbers) number = static_cast<float>(draw());
  };
  const double rows = spec.shape.front();
  const double columns = static_cast<double>(spec.size()) / rows;
  switch (role) {
    case TensorRole::Matrix: {
      const double most = std::sqrt(6 / (rows + columns));
      return fill([&] { return most * (2 * rng.uniform() - 1); });
    }
    case TensorRole::Convolution: {
      const double squares = spec.shape.size() == 4 ? spec.shape[2] * spec.shape[3] : 1;
      const double deviation = std::sqrt(2 / (rows * squares));
      return fill([&] { return deviation * normal(rng); });
    }
    case TensorRole::Words:
    case TensorRole::Positions: {
      const double deviation = 1 / std::sqrt(columns);
      return fill([&] { return deviation * normal(rng); });
    }
    case TensorRole::Gain: return fill([] { return 1.0; });
    case TensorRole::Bias: return fill([] { return 0.0; });
  }
}

}  // namespace

FlatLayout::FlatLayout(const Graph& graph) : places(graph.tensors.size()) {
  for (const bool parameters : {true, false}) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (graph.tensors[i].is_parameter != parameters) continue;
      places[i] = {size, graph.tensors[i].size()};
      size = rounded_up(size + places[i].size);
    }
    if (parameters) learned = size;
  }
}

std::vector<TensorRole> tensor_roles(const Graph& graph) {
  std::vector<TensorRole> roles(graph.tensors.size(), TensorRole::Matrix);
  const auto set = [&](std::optional<TensorId> id, TensorRole role) {
    if (id) roles[index(*id)] = role;
  };
  const std::vector<bool> before_batch_norm = before_batch_norms(graph);
  for (std::size_t i = 0; i < graph.steps.size(); ++i)
    std::visit(Overloaded{
                   [&](const step::Embed& s) {
                     for (const auto& range : s.ranges) set(range.table, TensorRole::Words);
                     if (s.positions) set(s.positions->table, TensorRole::Positions);
                   },
                   [&](const step::Linear& s) {
                     set(s.bias, TensorRole::Bias);
                     if (before_batch_norm[i]) set(s.weight, TensorRole::Convolution);
                   },
                   [&](const step::Convolution& s) {
                     set(s.weight, TensorRole::Convolution), set(s.bias, TensorRole::Bias);
                   },
                   [&](const step::BatchNorm& s) {
                     set(s.gain, TensorRole::Gain), set(s.variance, TensorRole::Gain);
                     set(s.shift, TensorRole::Bias), set(s.mean, TensorRole::Bias);
                   },
                   [&](const step::Norm& s) {
                     set(s.gain, TensorRole::Gain), set(s.shift, TensorRole::Bias);
                   },
                   // A term without a factor is a table of positions, one with it a gate.
                   [&](const step::Gate& s) {
                     set(s.factor, TensorRole::Gain);
                     set(s.term, s.factor ? TensorRole::Bias : TensorRole::Positions);
                   },
                   [&](const step::Attention& s) {
                     set(s.query_gain, TensorRole::Gain), set(s.key_gain, TensorRole::Gain);
                     set(s.relative_bias, TensorRole::Bias);
                   },
                   [&](const step::SqueezeExcite& s) {
                     set(s.bias1, TensorRole::Bias), set(s.bias2, TensorRole::Bias);
                   },
                   [](const auto&) {},
               },
               graph.steps[i]);
  return roles;
}

Flat initial_weights(const Graph& graph, const FlatLayout& layout, std::uint64_t seed) {
  Flat flat(layout.size, 0.0F);
  const std::vector<TensorRole> roles = tensor_roles(graph);
  Rng rng(seed);
  for (std::size_t i = 0; i < roles.size(); ++i)
    initialise(graph.tensors[i], roles[i],
               std::span(flat).subspan(layout.places[i].begin, layout.places[i].size), rng);
  return flat;
}

std::vector<FlatLayout::Place> decaying_places(const Graph& graph, const FlatLayout& layout) {
  std::vector<FlatLayout::Place> decaying;
  const std::vector<TensorRole> roles = tensor_roles(graph);
  for (std::size_t i = 0; i < roles.size(); ++i)
    if (roles[i] == TensorRole::Matrix || roles[i] == TensorRole::Convolution ||
        roles[i] == TensorRole::Words)
      decaying.push_back(layout.places[i]);
  return decaying;
}

Flat flat_of(const Graph& graph, const FlatLayout& layout, const Tensors& tensors) {
  Flat flat(layout.size, 0.0F);
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const auto found = tensors.find(graph.tensors[i].name);
    assert(found != tensors.end());
    const Tensor& tensor = found->second;
    float* const out = flat.data() + layout.places[i].begin;
    if (!tensor.is_int8()) {
      assert(tensor.numbers.size() == layout.places[i].size);
      std::copy(tensor.numbers.begin(), tensor.numbers.end(), out);
      continue;
    }
    const std::size_t run = tensor.bytes.size() / tensor.scales.size();
    for (std::size_t k = 0; k < tensor.bytes.size(); ++k)
      out[k] = tensor.scales[k / run] * tensor.bytes[k];
  }
  return flat;
}

Tensors tensors_of(const Graph& graph, const FlatLayout& layout, std::span<const float> flat) {
  Tensors tensors;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const auto numbers = flat.subspan(layout.places[i].begin, layout.places[i].size);
    Tensor& tensor = tensors[graph.tensors[i].name];
    tensor.shape = graph.tensors[i].shape;
    tensor.numbers.assign(numbers.begin(), numbers.end());
  }
  return tensors;
}

}  // namespace aleph::train
