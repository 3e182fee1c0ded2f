#include "nets/executor/fusion.h"

#include "base/overloaded.h"

namespace aleph::nets {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// For each value the one step that uses it, or -1: none or several.
std::vector<int> only_users(const Graph& graph) {
  std::vector<int> users(graph.steps.size(), -1), counts(graph.steps.size());
  for (std::size_t i = 0; i < graph.steps.size(); ++i)
    for (const ValueId value : operands(graph.steps[i])) {
      users[index(value)] = static_cast<int>(i);
      ++counts[index(value)];
    }
  for (const Graph::Output& output : graph.outputs) counts[index(output.value)] += 2;
  for (std::size_t i = 0; i < users.size(); ++i)
    if (counts[i] != 1) users[i] = -1;
  return users;
}

// Takes in the step that uses the chain's result; false: it cannot be taken in.
bool extend(LayerChain& chain, const Step& step) {
  if (chain.residual) return false;
  const bool plain = chain.activation == Activation::None;
  if (const auto* const norm = std::get_if<step::BatchNorm>(&step)) {
    if (!plain || chain.batch_norm) return false;
    chain.batch_norm = *norm;
    chain.activation = norm->activation;
    return true;
  }
  if (const auto* const activate = std::get_if<step::Activate>(&step)) {
    if (!plain) return false;
    chain.activation = activate->activation;
    return true;
  }
  if (const auto* const add = std::get_if<step::Add>(&step)) {
    if (add->a == add->b) return false;
    if (add->b == chain.result)
      chain.residual = {add->a, 1, add->scale, add->activation};
    else
      chain.residual = {add->b, add->scale, 1, add->activation};
    return true;
  }
  return false;
}

std::optional<LayerChain> chain_at(const Graph& graph, int i) {
  const Step& step = graph.steps[index(i)];
  if (const auto* const linear = std::get_if<step::Linear>(&step))
    return LayerChain{i, i, {}, linear->activation, {}};
  if (const auto* const convolution = std::get_if<step::Convolution>(&step))
    return LayerChain{i, i, {}, convolution->activation, {}};
  return std::nullopt;
}

}  // namespace

std::vector<ValueId> operands(const Step& step) {
  using Values = std::vector<ValueId>;
  return std::visit(Overloaded{[](const step::Input&) { return Values{}; },
                               [](const step::Constant&) { return Values{}; },
                               [](const step::Embed& s) { return Values{s.tokens}; },
                               [](const step::Add& s) {
                                 return Values{s.a, s.b};
                               },
                               [](const step::Attention& s) {
                                 Values values{s.queries.value, s.keys.value, s.values.value};
                                 if (s.bias) values.push_back(*s.bias);
                                 return values;
                               },
                               [](const step::SqueezeExcite& s) {
                                 return Values{s.in, s.residual};
                               },
                               [](const step::Concat& s) { return s.parts; },
                               [](const step::PairScores& s) {
                                 return Values{s.a, s.b};
                               },
                               [](const step::PromotionScores& s) {
                                 return Values{s.scores, s.offsets};
                               },
                               [](const step::Gather& s) { return s.parts; },
                               [](const auto& s) { return Values{s.in}; }},
                    step);
}

Fusion find_chains(const Graph& graph) {
  Fusion fusion{std::vector<std::optional<LayerChain>>(graph.steps.size()),
                std::vector<bool>(graph.steps.size())};
  const std::vector<int> users = only_users(graph);
  std::vector<bool> taken(graph.steps.size());
  for (int i = 0; i < static_cast<int>(graph.steps.size()); ++i) {
    std::optional<LayerChain> chain = chain_at(graph, i);
    if (!chain) continue;
    for (int user = users[index(i)]; user >= 0; user = users[index(chain->result)]) {
      if (taken[index(user)] || !extend(*chain, graph.steps[index(user)])) break;
      taken[index(user)] = true;
      fusion.inside[index(chain->result)] = true;
      chain->result = user;
    }
    fusion.chains[index(chain->result)] = chain;
  }
  return fusion;
}

}  // namespace aleph::nets
