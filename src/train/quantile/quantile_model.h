// Quantile layers as the trainer keeps them: floats, eight stacks in one array.
//
// A weight of 1 is 64 in the engine's integers, a bias of 1 is 8128, an activation of 1 is the byte
// 127, a logit of 1 is 8128. First and second layer are input-major, so that sparse inputs add
// whole rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/memory.h"
#include "nnue/architecture.h"
#include "nnue/quantile/quantile_forward.h"
#include "nnue/quantile/quantile_network.h"

namespace aleph::train {

inline constexpr std::size_t kFirstOutputs = 16, kSecondInputs = 32, kSecondOutputs = 32;
inline constexpr std::array<double, nnue::kQuantiles> kLevels{0.10, 0.25, 0.50, 0.75, 0.90};
inline constexpr float kWeightOne = 64, kActivationOne = 127, kBiasOne = 8128;
inline constexpr float kWeightLimit = 127.0F / 64.0F;  // of a byte

// Where the parts of a stack are.
struct QuantileShape {
  std::size_t width;

  constexpr std::size_t first_weight() const { return 0; }  // [width][16]
  constexpr std::size_t first_bias() const { return width * kFirstOutputs; }
  constexpr std::size_t second_weight() const { return first_bias() + kFirstOutputs; }  // [32][32]
  constexpr std::size_t second_bias() const {
    return second_weight() + kSecondInputs * kSecondOutputs;
  }
  constexpr std::size_t third_weight() const { return second_bias() + kSecondOutputs; }  // [5][32]
  constexpr std::size_t third_bias() const {
    return third_weight() + nnue::kQuantiles * kSecondOutputs;
  }
  // With room for whole vectors.
  constexpr std::size_t size() const { return third_bias() + 8; }
};

struct QuantileModel {
  std::size_t width = 0;
  AlignedVector<float> values;  // [8] of QuantileShape{width}.size()

  QuantileShape shape() const { return {width}; }
  float* stack(std::size_t bucket) { return values.data() + bucket * shape().size(); }
  const float* stack(std::size_t bucket) const { return values.data() + bucket * shape().size(); }

  static QuantileModel empty(std::size_t width);
  // Random weights whose third layer is small, and biases by which each bucket begins with these
  // quantiles (logits, rising) whatever the position.
  using BucketLogits = std::array<std::array<double, nnue::kQuantiles>, nnue::kBuckets>;
  static QuantileModel random(std::size_t width, std::uint64_t seed, const BucketLogits& start);
};

// The same numbers in the engine's scale: weights times 64, biases times 8128; rounded to whole
// ones, or not.
QuantileModel in_engine_scale(const QuantileModel& model, bool rounded);

// As the engine keeps them. Card and hash of the base are the caller's.
nnue::QuantileNetwork rounded_network(const QuantileModel& model);

// The step between two quantiles, as a smooth function that is never negative, in logits.
double quantile_step(double t);
double quantile_step_slope(double t);
double inverse_quantile_step(double step);  // of a step above 0

}  // namespace aleph::train
