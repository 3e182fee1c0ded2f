#include "train/quantile/quantile_model.h"

#include <algorithm>
#include <cmath>

#include "base/rng.h"

namespace aleph::train {
namespace {

// Both ends of a part, and what 1 is there in the engine's integers.
struct Part {
  std::size_t from, to;
  float one;
};
std::array<Part, 6> parts_of(const QuantileShape& s) {
  return {Part{s.first_weight(), s.first_bias(), kWeightOne},
          Part{s.first_bias(), s.second_weight(), kBiasOne},
          Part{s.second_weight(), s.second_bias(), kWeightOne},
          Part{s.second_bias(), s.third_weight(), kBiasOne},
          Part{s.third_weight(), s.third_bias(), kWeightOne},
          Part{s.third_bias(), s.size(), kBiasOne}};
}

template <class Whole>
Whole whole(float value) {
  return static_cast<Whole>(std::lround(value));
}

}  // namespace

QuantileModel QuantileModel::empty(std::size_t width) {
  QuantileModel model;
  model.width = width;
  model.values.assign(nnue::kBuckets * model.shape().size(), 0.0F);
  return model;
}

QuantileModel QuantileModel::random(std::size_t width, std::uint64_t seed,
                                    const BucketLogits& start) {
  QuantileModel model = empty(width);
  const QuantileShape shape = model.shape();
  Rng rng(seed);
  const auto fill = [&](float* values, std::size_t count, double size) {
    for (std::size_t i = 0; i < count; ++i)
      values[i] = static_cast<float>((2 * rng.uniform() - 1) * size);
  };
  // Of the features a fifth is on, at half their size about: the sums of the first layer are then
  // of the order of one half.
  const double first = 4 / std::sqrt(static_cast<double>(width));
  for (std::size_t b = 0; b < nnue::kBuckets; ++b) {
    float* const stack = model.stack(b);
    fill(stack + shape.first_weight(), width * kFirstOutputs, first);
    fill(stack + shape.second_weight(), kSecondInputs * kSecondOutputs, 0.4);
    std::fill_n(stack + shape.second_bias(), kSecondOutputs, 0.1F);
    fill(stack + shape.third_weight(), nnue::kQuantiles * kSecondOutputs, 0.05);
    float* const bias = stack + shape.third_bias();
    bias[0] = static_cast<float>(start[b][0]);
    for (std::size_t k = 1; k < nnue::kQuantiles; ++k)
      bias[k] =
          static_cast<float>(inverse_quantile_step(std::max(start[b][k] - start[b][k - 1], 1e-3)));
  }
  return model;
}

QuantileModel in_engine_scale(const QuantileModel& model, bool rounded) {
  QuantileModel scaled = QuantileModel::empty(model.width);
  for (std::size_t b = 0; b < nnue::kBuckets; ++b)
    for (const Part& part : parts_of(model.shape()))
      for (std::size_t i = part.from; i < part.to; ++i) {
        const float value = model.stack(b)[i] * part.one;
        scaled.stack(b)[i] = rounded ? std::nearbyint(value) : value;
      }
  return scaled;
}

nnue::QuantileNetwork rounded_network(const QuantileModel& model) {
  const QuantileModel scaled = in_engine_scale(model, true);
  const QuantileShape shape = model.shape();
  nnue::QuantileNetwork network;
  network.width = static_cast<int>(model.width);
  for (std::size_t b = 0; b < nnue::kBuckets; ++b) {
    const float* const from = scaled.stack(b);
    nnue::QuantileStack& to = network.stacks[b];
    to.first_weight.resize(kFirstOutputs * model.width);
    for (std::size_t o = 0; o < kFirstOutputs; ++o) {
      for (std::size_t i = 0; i < model.width; ++i)
        to.first_weight[o * model.width + i] = whole<std::int8_t>(from[i * kFirstOutputs + o]);
      to.first_bias[o] = whole<std::int32_t>(from[shape.first_bias() + o]);
    }
    for (std::size_t o = 0; o < kSecondOutputs; ++o) {
      for (std::size_t i = 0; i < kSecondInputs; ++i)
        to.second_weight[o * kSecondInputs + i] =
            whole<std::int8_t>(from[shape.second_weight() + i * kSecondOutputs + o]);
      to.second_bias[o] = whole<std::int32_t>(from[shape.second_bias() + o]);
    }
    for (std::size_t i = 0; i < to.third_weight.size(); ++i)
      to.third_weight[i] = whole<std::int8_t>(from[shape.third_weight() + i]);
    for (std::size_t k = 0; k < to.third_bias.size(); ++k)
      to.third_bias[k] = whole<std::int32_t>(from[shape.third_bias() + k]);
  }
  return network;
}

double quantile_step(double t) { return t <= -1 ? 0 : t >= 1 ? t : (t + 1) * (t + 1) / 4; }
double quantile_step_slope(double t) { return t <= -1 ? 0 : t >= 1 ? 1 : (t + 1) / 2; }
double inverse_quantile_step(double step) { return step >= 1 ? step : 2 * std::sqrt(step) - 1; }

}  // namespace aleph::train
