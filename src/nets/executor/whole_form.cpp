#include "nets/executor/whole_form.h"

#include <algorithm>

#include "nets/executor/fusion.h"

namespace aleph::nets {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

ValueId input_of(const Graph& graph, int layer) {
  return operands(graph.steps[index(layer)]).front();
}

// Inputs of the network, or numbers picked from among them.
bool is_raw(const Graph& graph, ValueId value) {
  const Step& step = graph.steps[index(value)];
  if (std::holds_alternative<step::Input>(step)) return true;
  const bool picks = std::holds_alternative<step::Concat>(step) ||
                     std::holds_alternative<step::Reshape>(step) ||
                     std::holds_alternative<step::Transpose>(step) ||
                     std::holds_alternative<step::TakeRows>(step) ||
                     std::holds_alternative<step::TakeColumns>(step);
  const std::vector<ValueId> from = operands(step);
  return picks &&
         std::any_of(from.begin(), from.end(), [&](ValueId part) { return is_raw(graph, part); });
}

// What mixes squares: trunks end with the last of these.
bool mixes(const Step& step) {
  const auto* const convolution = std::get_if<step::Convolution>(&step);
  return std::holds_alternative<step::Attention>(step) ||
         (convolution != nullptr && convolution->size == 3);
}

// No later layer evens out what this one gets wrong.
bool is_behind_trunk(const Graph& graph, int layer) {
  std::vector<bool> made_of_it(graph.steps.size());
  made_of_it[index(layer)] = true;
  for (std::size_t i = index(layer) + 1; i < graph.steps.size(); ++i) {
    const std::vector<ValueId> from = operands(graph.steps[i]);
    made_of_it[i] = std::any_of(from.begin(), from.end(),
                                [&](ValueId value) { return made_of_it[index(value)]; });
    if (made_of_it[i] && mixes(graph.steps[i])) return false;
  }
  return true;
}

}  // namespace

bool reads_inputs(const Graph& graph, int layer) { return is_raw(graph, input_of(graph, layer)); }

Matrix::Form whole_form(const Graph& graph, int layer) {
  const bool fine = reads_inputs(graph, layer) || is_behind_trunk(graph, layer);
  return fine ? Matrix::Form::Words : Matrix::Form::Bytes;
}

bool reads_norm(const Graph& graph, int layer) {
  constexpr int kManyRows = 32;  // fewer are made of the whole board, and gain nothing by words
  const ValueId in = input_of(graph, layer);
  return std::holds_alternative<step::Norm>(graph.steps[index(in)]) &&
         graph.shapes[index(in)].rows >= kManyRows;
}

WinogradForm whole_winograd(const Graph& graph, int layer) {
  return reads_inputs(graph, layer) ? WinogradForm::WordsOfPlanes : WinogradForm::Words;
}

}  // namespace aleph::nets
