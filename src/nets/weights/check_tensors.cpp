#include "nets/weights/check_tensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "base/text.h"

namespace aleph::nets {
namespace {

std::string text_of(const std::vector<int>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

bool all_finite(const std::vector<float>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); });
}

Status check_tensor(const TensorSpec& wanted, const Tensor& tensor) {
  if (tensor.shape != wanted.shape)
    return Error{fmt::format("tensor {} has shape {}, but the network's description asks for {}",
                             aleph::quoted(wanted.name), text_of(tensor.shape),
                             text_of(wanted.shape))};
  const bool complete =
      tensor.is_int8() ? tensor.has_bytes(wanted.size()) : tensor.numbers.size() == wanted.size();
  if (!complete)
    return Error{fmt::format("tensor {} has fewer or more numbers than its shape {} says",
                             aleph::quoted(wanted.name), text_of(wanted.shape))};
  if (!all_finite(tensor.numbers) || !all_finite(tensor.scales))
    return Error{
        fmt::format("tensor {} has a number that is not finite", aleph::quoted(wanted.name))};
  return Status::success();
}

Status check_variances(const Graph& graph, const Tensors& tensors) {
  for (const Step& step : graph.steps) {
    const auto* norm = std::get_if<step::BatchNorm>(&step);
    if (norm == nullptr) continue;
    const std::string& name = graph.tensors[static_cast<std::size_t>(norm->variance)].name;
    const std::vector<float>& numbers = tensors.find(name)->second.numbers;
    if (std::any_of(numbers.begin(), numbers.end(), [](float x) { return x < 0; }))
      return Error{fmt::format("tensor {} has a negative variance", aleph::quoted(name))};
  }
  return Status::success();
}

}  // namespace

Status check_tensors(const Graph& graph, const Tensors& tensors) {
  for (const TensorSpec& wanted : graph.tensors) {
    const auto found = tensors.find(wanted.name);
    if (found == tensors.end())
      return Error{fmt::format("tensor {} is missing", aleph::quoted(wanted.name))};
    const Status checked = check_tensor(wanted, found->second);
    if (!checked.ok()) return checked;
  }
  std::set<std::string_view> known;
  for (const TensorSpec& wanted : graph.tensors) known.insert(wanted.name);
  for (const auto& [name, tensor] : tensors)
    if (!known.contains(name))
      return Error{fmt::format("the network's description has no tensor {}", aleph::quoted(name))};
  return check_variances(graph, tensors);
}

}  // namespace aleph::nets
