#include "train/dropout.h"

#include <string_view>

#include "base/overloaded.h"
#include "base/rng.h"

namespace aleph::train {
namespace {

using namespace nets;

bool is_hidden_layer(const step::Linear& step, const Graph& graph) {
  const std::string_view name = graph.tensors[static_cast<std::size_t>(step.weight)].name;
  return name.starts_with("trunk.") && name.ends_with(".feed_forward.linear1.weight");
}

bool is_head(const Graph& graph, TensorId weight) {
  return graph.tensors[static_cast<std::size_t>(weight)].name.starts_with("head.");
}

// Heads come last, and the layers in front of them have weights.
std::size_t trunk_steps(const Graph& graph) {
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    const Step& step = graph.steps[i];
    const auto* const linear = std::get_if<step::Linear>(&step);
    const auto* const convolution = std::get_if<step::Convolution>(&step);
    const auto* const norm = std::get_if<step::Norm>(&step);
    if ((linear != nullptr && is_head(graph, linear->weight)) ||
        (convolution != nullptr && is_head(graph, convolution->weight)) ||
        (norm != nullptr && is_head(graph, norm->gain)))
      return i;
  }
  return graph.steps.size();
}

// Bits of a counter, thoroughly mixed: loops over it become vector instructions, which they do not
// if each number needs the one before.
std::uint32_t mixed(std::uint32_t x, std::uint32_t key) {
  x ^= x >> 16;
  x *= 0x7FEB352DU;
  x ^= x >> 15;
  x += key;
  x *= 0x846CA68BU;
  x ^= x >> 16;
  return x;
}

}  // namespace

DropoutPlan dropout_plan(const NetSpec& spec, const Graph& graph) {
  DropoutPlan plan;
  plan.steps.assign(graph.steps.size(), false);
  if (const auto* const resnet = std::get_if<ResnetSpec>(&spec.trunk)) {
    plan.share = resnet->dropout;
    plan.whole_channels = true;
  } else {
    plan.share = std::get_if<TransformerSpec>(&spec.trunk)->dropout;
  }
  if (plan.share <= 0) return plan;
  const std::size_t end = trunk_steps(graph);
  for (std::size_t i = 0; i < end; ++i)
    plan.steps[i] = std::visit(Overloaded{
                                   [](const step::Embed&) { return true; },
                                   [](const step::Gate&) { return true; },
                                   [](const step::Attention&) { return true; },
                                   [](const step::Add&) { return true; },
                                   [](const step::SqueezeExcite&) { return true; },
                                   [&](const step::Linear& s) { return is_hidden_layer(s, graph); },
                                   [](const auto&) { return false; },
                               },
                               graph.steps[i]);
  return plan;
}

void fill_dropout(std::span<float> factors, double share, std::uint64_t key) {
  const std::uint32_t key1 = static_cast<std::uint32_t>(key);
  const std::uint32_t key2 = static_cast<std::uint32_t>(key >> 32);
  // Compared as signed numbers, for which there are vector instructions.
  const auto limit = static_cast<std::int32_t>(share * 0x1p32 - 0x1p31);
  const float kept = static_cast<float>(1 / (1 - share));
  const auto count = static_cast<std::uint32_t>(factors.size());
  float* const out = factors.data();
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto draw = static_cast<std::int32_t>(mixed(i * 0x9E3779B9U + key1, key2));
    out[i] = draw < limit ? 0.0F : kept;
  }
}

std::uint64_t mixed_key(std::uint64_t key, std::uint64_t with) {
  return Rng(Rng(key).next() ^ with).next();
}

}  // namespace aleph::train
