#include "nets/executor/quantize.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "nets/executor/round_weights.h"
#include "nets/executor/weight_rows.h"
#include "nets/executor/whole_form.h"
#include "nets/kernels/packing.h"

namespace aleph::nets {
namespace {

constexpr std::size_t kLeastDepth = 64, kLeastColumns = 16;
// Of inputs as bytes, in parts of what a layer's outputs differ by: more than this asks for words.
// A norm of even gains makes 0.007 of numbers that are spread like errors.
constexpr double kMostByteNoise = 0.01;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// The weights of a layer, and who uses them.
struct LayerWeights {
  ByteRule rule;
  std::vector<int> layers;
};

std::optional<TensorId> weight_of(const Step& step) {
  if (const auto* const linear = std::get_if<step::Linear>(&step)) return linear->weight;
  if (const auto* const convolution = std::get_if<step::Convolution>(&step))
    return convolution->weight;
  return std::nullopt;
}
std::optional<TensorId> bias_of(const Step& step) {
  if (const auto* const linear = std::get_if<step::Linear>(&step)) return linear->bias;
  if (const auto* const convolution = std::get_if<step::Convolution>(&step))
    return convolution->bias;
  return std::nullopt;
}

// What rounding its inputs to bytes does to the outputs of a layer, in parts of what they differ
// by.
double noise_of_bytes(const Moments& moments, const Tensor& weights) {
  constexpr std::size_t kLooked = 64;  // outputs: enough for a mean
  const std::size_t width = moments.width(), columns = weights.numbers.size() / width;
  const std::vector<double> products = moments.products(true);
  double squares = 0, differ = 0;
  for (std::size_t column = 0; column < columns; column += (columns + kLooked - 1) / kLooked) {
    const float* const row = weights.numbers.data() + column * width;
    for (std::size_t i = 0; i < width; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < width; ++k) sum += products[i * width + k] * row[k];
      differ += sum * row[i];
      squares += double{row[i]} * row[i];
    }
  }
  return differ > 0 ? std::sqrt(moments.byte_noise() * squares / differ) : 0;
}

bool bytes_suffice(const Graph& graph, int layer, const Tensor& weights,
                   const Calibration* calibration) {
  if (whole_form(graph, layer) != Matrix::Form::Bytes) return false;
  if (!reads_norm(graph, layer)) return true;
  const Moments* const moments = calibration ? calibration->of(graph, layer) : nullptr;
  return moments != nullptr && noise_of_bytes(*moments, weights) < kMostByteNoise;
}

// Not the whole row: several scales are finer, and they say that words are wanted.
std::size_t run_of(std::size_t depth) {
  constexpr std::size_t kMost = 64, kLeast = 16;
  for (std::size_t run = std::min(kMost, depth / 2); run >= kLeast; --run)
    if (depth % run == 0) return run;
  return depth;
}

// Products of bytes need one scale for an output. Others can have more, and those are finer. Inputs
// of the network, and so their weights, are of different kinds, hence one for each.
std::optional<ByteRule> rule_of(const Graph& graph, int layer, const Tensor& weights,
                                const Calibration* calibration) {
  const Step& step = graph.steps[index(layer)];
  const std::size_t depth = weights.numbers.size() / index(weights.shape[0]);
  if (std::holds_alternative<step::Linear>(step)) {
    if (reads_inputs(graph, layer)) return std::nullopt;
    if (bytes_suffice(graph, layer, weights, calibration)) return ByteRule{depth, true};
    return ByteRule{run_of(depth), false};
  }
  const auto& convolution = std::get<step::Convolution>(step);
  const std::size_t area = index(convolution.size * convolution.size);
  if (reads_inputs(graph, layer)) return ByteRule{area, false};
  if (convolution.size != 1) return ByteRule{(depth / area % 8 == 0 ? 8 : 1) * area, false};
  return ByteRule{depth, bytes_suffice(graph, layer, weights, calibration)};
}

// Of those that become bytes. Of several uses of a tensor all must be content with byte products.
std::map<TensorId, LayerWeights> weights_of_layers(const Graph& graph, const Tensors& tensors,
                                                   const Calibration* calibration) {
  std::map<TensorId, LayerWeights> weights;
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    const std::optional<TensorId> id = weight_of(graph.steps[i]);
    if (!id) continue;
    const auto found = tensors.find(graph.tensors[index(*id)].name);
    if (found == tensors.end() || found->second.is_int8() || found->second.shape.empty()) continue;
    const std::size_t columns = index(found->second.shape[0]);
    if (columns < kLeastColumns || found->second.numbers.size() / columns < kLeastDepth) continue;
    const int layer = static_cast<int>(i);
    const auto rule = rule_of(graph, layer, found->second, calibration);
    if (!rule) continue;
    LayerWeights& known = weights.emplace(*id, LayerWeights{*rule, {}}).first->second;
    if (!rule->for_byte_products) known.rule = *rule;
    known.layers.push_back(layer);
  }
  return weights;
}

float largest(std::span<const float> numbers) {
  float most = 0;
  for (const float number : numbers) most = std::max(most, std::abs(number));
  return most;
}

std::vector<float> scales_of(std::span<const float> numbers, const ByteRule& rule) {
  std::vector<float> scales;
  for (std::size_t first = 0; first < numbers.size(); first += rule.run) {
    const auto part = numbers.subspan(first, rule.run);
    scales.push_back(rule.for_byte_products ? kernels::byte_scale(part) : largest(part) / 127);
  }
  return scales;
}

Tensor nearest_bytes(const Tensor& tensor, const ByteRule& rule) {
  Tensor result{tensor.shape,
                {},
                std::vector<std::int8_t>(tensor.numbers.size()),
                scales_of(tensor.numbers, rule)};
  for (std::size_t i = 0; i < result.bytes.size(); ++i)
    if (const float scale = result.scales[i / rule.run]; scale >= 1e-30F)
      result.bytes[i] = static_cast<std::int8_t>(std::lround(tensor.numbers[i] / scale));
  return result;
}

// What all the layers are given that use these weights; nothing if that is not known.
std::optional<Moments> moments_of(const Graph& graph, const LayerWeights& weights,
                                  const Calibration* calibration) {
  std::optional<Moments> all;
  for (const int layer : weights.layers) {
    const Moments* const moments = calibration ? calibration->of(graph, layer) : nullptr;
    if (moments == nullptr) return std::nullopt;
    if (all)
      all->add(*moments);
    else
      all = *moments;
  }
  return all;
}

void correct_bias(Tensor& bias, const Tensor& exact, const Tensor& rounded,
                  const std::vector<double>& means) {
  const std::vector<float> numbers = WeightRows(rounded).as_floats();
  for (std::size_t column = 0; column < bias.numbers.size(); ++column) {
    double lost = 0;
    for (std::size_t i = 0; i < means.size(); ++i) {
      const std::size_t at = column * means.size() + i;
      lost += (double{exact.numbers[at]} - numbers[at]) * means[i];
    }
    bias.numbers[column] += static_cast<float>(lost);
  }
}

// The bias too, if there is one and no other layer has it: then errors may have a mean.
void round_calibrated(const LayerWeights& weights, const Moments& moments, Tensor& tensor,
                      Tensor* bias) {
  const bool corrects = bias != nullptr && weights.layers.size() == 1;
  const ErrorShape shape(moments.products(corrects), moments.width());
  RoundedWeights best = round_weights_best(tensor.numbers, scales_of(tensor.numbers, weights.rule),
                                           weights.rule, shape);
  Tensor rounded{tensor.shape, {}, std::move(best.bytes), std::move(best.scales)};
  if (corrects) correct_bias(*bias, tensor, rounded, moments.means());
  tensor = std::move(rounded);
}

// Large tables of words, a scale for each row: they are read as floats, only files get smaller.
void round_tables(const Graph& graph, Tensors& tensors) {
  constexpr std::size_t kLeastWords = 256;
  for (const Step& step : graph.steps) {
    const auto* const embed = std::get_if<step::Embed>(&step);
    if (embed == nullptr) continue;
    for (const step::Embed::Range& range : embed->ranges) {
      const auto found = tensors.find(graph.tensors[index(range.table)].name);
      if (found == tensors.end()) continue;
      Tensor& table = found->second;
      if (table.is_int8() || table.shape.empty() || index(table.shape[0]) < kLeastWords) continue;
      const std::size_t width = table.numbers.size() / index(table.shape[0]);
      if (width >= kLeastDepth) table = nearest_bytes(table, ByteRule{width, false});
    }
  }
}

}  // namespace

Tensors quantize(const Graph& graph, const Tensors& tensors, const Calibration* calibration) {
  Tensors result = tensors;
  for (const auto& [id, weights] : weights_of_layers(graph, tensors, calibration)) {
    Tensor& tensor = result.find(graph.tensors[index(id)].name)->second;
    const std::optional<Moments> moments = moments_of(graph, weights, calibration);
    if (!moments || weights.rule.run == 1) {
      tensor = nearest_bytes(tensor, weights.rule);
      continue;
    }
    const std::optional<TensorId> bias = bias_of(graph.steps[index(weights.layers.front())]);
    round_calibrated(weights, *moments, tensor,
                     bias ? &result.find(graph.tensors[index(*bias)].name)->second : nullptr);
  }
  round_tables(graph, result);
  return result;
}

}  // namespace aleph::nets
