#include "train/quantile/quantile_kernels.h"

#include <algorithm>
#include <cmath>

namespace aleph::train {
namespace {

constexpr float kMostByte = 127;
constexpr double kSquareShift = 1.0 / (1 << 19);
constexpr float kClipShift = 1.0F / 64;

float cut(float value, bool whole) {
  return std::clamp(whole ? std::floor(value) : value - 0.5F, 0.0F, kMostByte);
}

// In double: the square of a sum has more bits than a float.
float squared(float sum, bool whole) {
  const double square = static_cast<double>(sum) * static_cast<double>(sum) * kSquareShift;
  const double byte = whole ? std::floor(square) : square - 0.5;
  return static_cast<float>(std::clamp(byte, 0.0, double{kMostByte}));
}

bool passes(float sum) { return sum > 0 && sum < kBiasOne; }

// Eight partial sums, so that the order is fixed and vectors can be used.
float dot(const float* a, const float* b, std::size_t count) {
  std::array<float, 8> lanes{};
  for (std::size_t i = 0; i < count; i += 8)
    for (std::size_t j = 0; j < 8; ++j) lanes[j] += a[i + j] * b[i + j];
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

}  // namespace

void quantile_forward(const float* stack, const QuantileShape& shape, const SparseInputs& inputs,
                      bool whole, QuantileTrace& trace) {
  alignas(64) std::array<float, kFirstOutputs> first;
  std::copy_n(stack + shape.first_bias(), kFirstOutputs, first.begin());
  for (std::size_t n = 0; n < inputs.count; ++n) {
    const float* const row = stack + shape.first_weight() + inputs.places[n] * kFirstOutputs;
    const float value = inputs.values[n];
    for (std::size_t o = 0; o < kFirstOutputs; ++o) first[o] += row[o] * value;
  }
  trace.first = first;
  for (std::size_t o = 0; o < kFirstOutputs; ++o) {
    trace.inputs[o] = squared(first[o], whole);
    trace.inputs[kFirstOutputs + o] = cut(first[o] * kClipShift, whole);
  }
  alignas(64) std::array<float, kSecondOutputs> second;
  std::copy_n(stack + shape.second_bias(), kSecondOutputs, second.begin());
  for (std::size_t i = 0; i < kSecondInputs; ++i) {
    const float* const row = stack + shape.second_weight() + i * kSecondOutputs;
    const float value = trace.inputs[i];
    for (std::size_t o = 0; o < kSecondOutputs; ++o) second[o] += row[o] * value;
  }
  trace.second = second;
  for (std::size_t o = 0; o < kSecondOutputs; ++o)
    trace.clipped[o] = cut(second[o] * kClipShift, whole);
  for (std::size_t k = 0; k < nnue::kQuantiles; ++k) {
    const float* const row = stack + shape.third_weight() + k * kSecondOutputs;
    const float sum =
        stack[shape.third_bias() + k] + dot(row, trace.clipped.data(), kSecondOutputs);
    trace.answers[k] = static_cast<double>(sum) / nnue::kQuantileOne;
    trace.logits[k] =
        k == 0 ? trace.answers[0] : trace.logits[k - 1] + quantile_step(trace.answers[k]);
  }
}

void quantile_backward(const float* stack, const QuantileShape& shape, const SparseInputs& inputs,
                       const QuantileTrace& trace,
                       const std::array<double, nnue::kQuantiles>& logit_gradients,
                       float* gradients) {
  // A step moves its own quantile and all above it.
  std::array<float, nnue::kQuantiles> answers{};
  double above = 0;
  for (std::size_t k = nnue::kQuantiles; k-- > 0;) {
    above += logit_gradients[k];
    answers[k] = static_cast<float>(k == 0 ? above : above * quantile_step_slope(trace.answers[k]));
  }
  alignas(64) std::array<float, kSecondOutputs> second{};
  for (std::size_t k = 0; k < nnue::kQuantiles; ++k) {
    const float* const row = stack + shape.third_weight() + k * kSecondOutputs;
    float* const gradient = gradients + shape.third_weight() + k * kSecondOutputs;
    gradients[shape.third_bias() + k] += answers[k];
    for (std::size_t o = 0; o < kSecondOutputs; ++o) {
      gradient[o] += answers[k] * trace.clipped[o] * (1 / kActivationOne);
      second[o] += answers[k] * row[o] * (1 / kWeightOne);
    }
  }
  for (std::size_t o = 0; o < kSecondOutputs; ++o)
    if (!passes(trace.second[o])) second[o] = 0;
  add_floats(gradients + shape.second_bias(), second.data(), kSecondOutputs);
  alignas(64) std::array<float, kSecondInputs> back;
  for (std::size_t i = 0; i < kSecondInputs; ++i) {
    const std::size_t at = shape.second_weight() + i * kSecondOutputs;
    const float value = trace.inputs[i] * (1 / kActivationOne);
    for (std::size_t o = 0; o < kSecondOutputs; ++o) gradients[at + o] += value * second[o];
    back[i] = dot(stack + at, second.data(), kSecondOutputs) * (1 / kWeightOne);
  }
  // A square of s bytes is (h * 8128)^2 / 2^19 / 127 of h.
  constexpr auto kSlope = static_cast<float>(2 * kSquareShift * double{kBiasOne} / 127);
  alignas(64) std::array<float, kFirstOutputs> first;
  for (std::size_t o = 0; o < kFirstOutputs; ++o) {
    const float sum = trace.first[o];
    const bool grows =
        static_cast<double>(sum) * static_cast<double>(sum) * kSquareShift < kMostByte;
    first[o] = grows ? back[o] * sum * kSlope : 0.0F;
    if (passes(sum)) first[o] += back[kFirstOutputs + o];
  }
  add_floats(gradients + shape.first_bias(), first.data(), kFirstOutputs);
  for (std::size_t n = 0; n < inputs.count; ++n) {
    float* const row = gradients + shape.first_weight() + inputs.places[n] * kFirstOutputs;
    const float value = inputs.values[n] * (1 / kActivationOne);
    for (std::size_t o = 0; o < kFirstOutputs; ++o) row[o] += value * first[o];
  }
}

double pinball_loss(double base, const std::array<double, nnue::kQuantiles>& logits,
                    std::span<const double> targets,
                    std::array<double, nnue::kQuantiles>& gradients, double logit_weight) {
  const double share = 1.0 / (nnue::kQuantiles * static_cast<double>(targets.size()));
  std::array<double, nnue::kQuantiles> expected{};
  gradients = {};
  for (std::size_t k = 0; k < nnue::kQuantiles; ++k)
    expected[k] = 1 / (1 + std::exp(-(base + logits[k])));
  double loss = 0;
  for (const double target : targets) {
    const double wanted = 1 / (1 + std::exp(-target));
    for (std::size_t k = 0; k < nnue::kQuantiles; ++k) {
      // Compared in logits, where large ones still differ.
      const double slope = target < base + logits[k] ? 1 - kLevels[k] : -kLevels[k];
      loss += share * slope * (expected[k] - wanted);
      gradients[k] += share * slope * (expected[k] * (1 - expected[k]) + logit_weight);
    }
  }
  return loss;
}

AdamRate AdamRate::at(std::uint64_t step, double rate) {
  const auto count = static_cast<double>(step);
  return {static_cast<float>(rate), static_cast<float>(1 / (1 - std::pow(0.9, count))),
          static_cast<float>(1 / (1 - std::pow(0.999, count)))};
}

void adam_step(const AdamRate& rate, const float* gradients, float* first, float* second,
               float* values, std::size_t count, float limit) {
  constexpr float kFirst = 0.9F, kSecond = 0.999F, kTiny = 1e-9F;
  for (std::size_t i = 0; i < count; ++i) {
    const float gradient = gradients[i];
    first[i] = kFirst * first[i] + (1 - kFirst) * gradient;
    second[i] = kSecond * second[i] + (1 - kSecond) * gradient * gradient;
    const float change =
        rate.rate * first[i] * rate.first_left / (std::sqrt(second[i] * rate.second_left) + kTiny);
    values[i] = std::min(std::max(values[i] - change, -limit), limit);
  }
}

void add_floats(float* to, const float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] += values[i];
}

}  // namespace aleph::train
