#include "train/nnue/nnue_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "base/sha256.h"
#include "base/write_file.h"
#include "nnue/architecture_hash.h"
#include "nnue/evaluator.h"
#include "nnue/layout.h"
#include "nnue/weights_writer.h"

namespace aleph::train {
namespace {

constexpr std::size_t kBuckets = nnue::kBuckets;
// Integers for 1.0: neurons, weights of the first two layers and their biases, the last layer.
constexpr double kNeuron = 127, kHidden = kHiddenSteps, kHiddenBias = kNeuron * kHidden;
constexpr double kRaw = 9600, kOutput = kRaw / kNeuron;
constexpr double kRawPerUnit = 16;

template <class Int>
Int rounded(float value, double scale) {
  constexpr double kLow = std::numeric_limits<Int>::min(), kHigh = std::numeric_limits<Int>::max();
  return static_cast<Int>(std::clamp(std::nearbyint(value * scale), kLow, kHigh));
}

template <class To, class From, class Convert>
void convert(To& to, const From& from, Convert one) {
  std::ranges::transform(from, to.begin(), one);
}

// Input i of the file's second layer: squares, then clipped values, without the empty places.
std::size_t second_place(std::size_t i) { return i < kSkipOutput ? i : i + 1; }

nnue::DenseLayer empty_layer(const nnue::DenseShape& shape) {
  nnue::DenseLayer layer;
  layer.inputs = shape.inputs;
  layer.padded_inputs = shape.padded_inputs;
  layer.outputs = shape.outputs;
  layer.bias.resize(static_cast<std::size_t>(shape.outputs));
  layer.weight.resize(shape.weights());
  return layer;
}

// One layer of a stack, and where it is among the floats.
struct LayerPlace {
  nnue::DenseLayer& layer;
  std::size_t weight, bias, inputs;
  double weight_scale, bias_scale;
  bool second;
};

// Calls visit(file weight, float index) for each weight.
template <class Visit>
void each_weight(const LayerPlace& place, Visit visit) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(place.layer.outputs); ++k)
    for (std::size_t i = 0; i < static_cast<std::size_t>(place.layer.inputs); ++i)
      visit(place.layer.weight[k * static_cast<std::size_t>(place.layer.padded_inputs) + i],
            place.weight + k * place.inputs + (place.second ? second_place(i) : i));
}

std::array<LayerPlace, 3> places_of(nnue::LayerStack& stack, const StackShape& shape) {
  return {{{stack.first, shape.first_weight(), shape.first_bias(), shape.width, kHidden,
            kHiddenBias, false},
           {stack.second, shape.second_weight(), shape.second_bias(), kSecondInputs, kHidden,
            kHiddenBias, true},
           {stack.third, shape.third_weight(), shape.third_bias(), kSecondOutputs, kOutput, kRaw,
            false}}};
}

// Name and size follow from the content.
void seal(nnue::Network& network) {
  const std::vector<std::byte> bytes = nnue::write_network(network);
  network.sha256 = sha256_hex(bytes);
  network.file_bytes = bytes.size();
}

// What trainer and engine say of a position, in internal units.
struct BothValues {
  std::size_t bucket;
  double floats, integers;
};

std::vector<BothValues> both_values(NnueStep& step,
                                    const std::shared_ptr<const nnue::Network>& network,
                                    std::span<const SampledPosition> sample) {
  std::vector<BothValues> values;
  if (nnue::kernels_for(nnue::best_kernels(), network->architecture.width) == nullptr)
    return values;
  nnue::Evaluator evaluator(std::make_shared<const nnue::Model>(network));
  for (const SampledPosition& position : sample) {
    BatchBuilder builder;  // one by one: a batch would be in another order
    builder.add(position.placement, position.side_to_move, 0.5F);
    const SparseBatch batch = builder.take();
    const nnue::RawOutput raw = evaluator.evaluate(position.placement, position.side_to_move);
    values.push_back({batch.bucket.front(), double{step.outputs(batch).front()} * kUnitsPerOne,
                      (raw.psqt + raw.positional) / kRawPerUnit});
  }
  return values;
}

}  // namespace

nnue::Architecture trained_architecture(std::size_t width) {
  for (const nnue::Architecture& known : nnue::known_architectures())
    if (known.width == static_cast<int>(width) && known.family == nnue::FeatureFamily::HalfKAv2Hm &&
        known.threats == nnue::ThreatKind::None && known.stack == nnue::StackKind::V5)
      return known;
  return nnue::with_hashes({.name = "SFNNv5 of another width",
                            .engine = "Aleph",
                            .width = static_cast<int>(width),
                            .family = nnue::FeatureFamily::HalfKAv2Hm});
}

nnue::Network quantised(const NnueModel& model, std::string description) {
  nnue::Network network;
  network.architecture = trained_architecture(model.width);
  network.description = std::move(description);
  network.bias = LargeArray<std::int16_t>(model.width);
  network.piece_weight = LargeArray<std::int16_t>(model.weight.size());
  network.piece_psqt = LargeArray<std::int32_t>(model.psqt.size());
  const auto neuron = [](float value) { return rounded<std::int16_t>(value, kNeuron); };
  convert(network.bias, model.bias, neuron);
  convert(network.piece_weight, model.weight, neuron);
  convert(network.piece_psqt, model.psqt,
          [](float value) { return rounded<std::int32_t>(value, kRaw); });
  const auto shapes = nnue::dense_shapes(network.architecture);
  for (std::size_t b = 0; b < kBuckets; ++b) {
    const float* const from = model.stack(b);
    nnue::LayerStack& stack = network.stacks[b];
    stack = {empty_layer(shapes[0]), empty_layer(shapes[1]), empty_layer(shapes[2])};
    for (const LayerPlace& place : places_of(stack, model.shape())) {
      for (std::size_t k = 0; k < place.layer.bias.size(); ++k)
        place.layer.bias[k] = rounded<std::int32_t>(from[place.bias + k], place.bias_scale);
      each_weight(place, [&](std::int8_t& weight, std::size_t at) {
        // -128 would do, but no trained network has it, and kernels may count on that.
        weight = std::max<std::int8_t>(rounded<std::int8_t>(from[at], place.weight_scale), -127);
      });
    }
  }
  seal(network);
  return network;
}

Result<NnueModel> model_of(const nnue::Network& network) {
  const nnue::Architecture& a = network.architecture;
  const auto width = static_cast<std::size_t>(a.width);
  if (a.family != nnue::FeatureFamily::HalfKAv2Hm || a.threats != nnue::ThreatKind::None ||
      a.stack != nnue::StackKind::V5 || !is_trainable_width(width))
    return Error{fmt::format("a network of the architecture {} cannot be trained", a.name)};
  NnueModel model = NnueModel::empty(width);
  const auto scaled = [](double scale) {
    return [scale](auto value) { return static_cast<float>(value / scale); };
  };
  convert(model.bias, network.bias, scaled(kNeuron));
  convert(model.weight, network.piece_weight, scaled(kNeuron));
  convert(model.psqt, network.piece_psqt, scaled(kRaw));
  for (std::size_t b = 0; b < kBuckets; ++b) {
    float* const to = model.stacks.data() + b * model.shape().size();
    nnue::LayerStack stack = network.stacks[b];
    for (const LayerPlace& place : places_of(stack, model.shape())) {
      for (std::size_t k = 0; k < place.layer.bias.size(); ++k)
        to[place.bias + k] = static_cast<float>(place.layer.bias[k] / place.bias_scale);
      each_weight(place, [&](std::int8_t weight, std::size_t at) {
        to[at] = static_cast<float>(weight / place.weight_scale);
      });
    }
  }
  return model;
}

Result<std::filesystem::path> write_trained(const nnue::Network& network,
                                            const std::filesystem::path& folder,
                                            const std::string& name) {
  const std::filesystem::path path = folder / (name.empty() ? network.file_name() : name);
  if (const Status status = write_file(path, nnue::write_network(network)); !status.ok())
    return Error{status.error()};
  return path;
}

nnue::Network calibrated(NnueStep& step, nnue::Network network,
                         std::span<const SampledPosition> sample) {
  const auto shared = std::make_shared<nnue::Network>(std::move(network));
  std::array<double, kBuckets> sum{}, count{};
  for (const BothValues& both : both_values(step, shared, sample)) {
    sum[both.bucket] += both.floats - both.integers;
    ++count[both.bucket];
  }
  constexpr double kEnough = 50;  // positions; fewer say little
  for (std::size_t b = 0; b < kBuckets; ++b)
    if (count[b] >= kEnough)
      shared->stacks[b].third.bias[0] +=
          static_cast<std::int32_t>(std::lround(kRawPerUnit * sum[b] / count[b]));
  seal(*shared);
  return std::move(*shared);
}

RoundingReport compare_rounding(NnueStep& step, nnue::Network network,
                                std::span<const SampledPosition> sample) {
  RoundingReport report;
  const auto shared = std::make_shared<const nnue::Network>(std::move(network));
  for (const BothValues& both : both_values(step, shared, sample)) {
    const double difference = both.integers - both.floats;
    ++report.positions;
    report.mean += std::abs(difference);
    report.bias += difference;
    report.mean_value += std::abs(both.floats);
    report.worst = std::max(report.worst, std::abs(difference));
  }
  const double count = std::max(static_cast<double>(report.positions), 1.0);
  report.mean /= count, report.bias /= count, report.mean_value /= count;
  return report;
}

}  // namespace aleph::train
