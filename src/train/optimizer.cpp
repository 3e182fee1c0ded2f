#include "train/optimizer.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace aleph::train {
namespace {

struct Update {
  float beta1, beta2, epsilon;
  float gradient_scale;
  float gradient_decay;  // Adam: of the weights, added to the gradient
  float keep;            // AdamW: what is left of the weights
  float rate;            // over the correction of the first moment
  float root2;           // 1 / sqrt(correction of the second moment)
};

void update(float* __restrict weights, const float* __restrict gradient, float* __restrict moment1,
            float* __restrict moment2, std::size_t size, const Update u) {
  for (std::size_t i = 0; i < size; ++i) {
    const float g = gradient[i] * u.gradient_scale + u.gradient_decay * weights[i];
    const float m = u.beta1 * moment1[i] + (1 - u.beta1) * g;
    const float v = u.beta2 * moment2[i] + (1 - u.beta2) * g * g;
    moment1[i] = m;
    moment2[i] = v;
    weights[i] = u.keep * weights[i] - u.rate * m / (std::sqrt(v) * u.root2 + u.epsilon);
  }
}

}  // namespace

Adam::Adam(const OptimizerConfig& config, std::size_t size, std::vector<FlatLayout::Place> decaying)
    : config_(config), moment1_(size, 0.0F), moment2_(size, 0.0F) {
  std::sort(decaying.begin(), decaying.end(),
            [](const auto& a, const auto& b) { return a.begin < b.begin; });
  std::size_t end = 0;
  const auto add = [&](std::size_t until, bool decays) {
    if (until > end) parts_.push_back({end, until - end}), decays_.push_back(decays);
    end = until;
  };
  for (const FlatLayout::Place& place : decaying) {
    add(place.begin, false);
    add(place.begin + place.size, true);
  }
  add(size, false);
}

void Adam::step(std::span<float> weights, std::span<const float> gradient, double scale,
                double rate, std::uint64_t step) {
  assert(weights.size() >= moment1_.size() && gradient.size() >= moment1_.size());
  const double t = static_cast<double>(step);
  const bool decoupled = config_.kind == OptimizerConfig::Kind::AdamW;
  Update u{};
  u.beta1 = static_cast<float>(config_.beta1);
  u.beta2 = static_cast<float>(config_.beta2);
  u.epsilon = static_cast<float>(config_.epsilon);
  u.gradient_scale = static_cast<float>(scale);
  u.rate = static_cast<float>(rate / (1 - std::pow(config_.beta1, t)));
  u.root2 = static_cast<float>(1 / std::sqrt(1 - std::pow(config_.beta2, t)));
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const double decay = decays_[i] ? config_.weight_decay : 0;
    u.gradient_decay = decoupled ? 0.0F : static_cast<float>(decay);
    u.keep = decoupled ? static_cast<float>(1 - rate * decay) : 1.0F;
    const std::size_t begin = parts_[i].begin;
    update(weights.data() + begin, gradient.data() + begin, moment1_.data() + begin,
           moment2_.data() + begin, parts_[i].size, u);
  }
}

double norm_of(std::span<const float> numbers) {
  // Several sums, so that they can be added at once.
  double sums[8] = {};
  const std::size_t whole = numbers.size() / 8 * 8;
  for (std::size_t i = 0; i < whole; i += 8)
    for (std::size_t k = 0; k < 8; ++k)
      sums[k] += static_cast<double>(numbers[i + k]) * static_cast<double>(numbers[i + k]);
  double sum = 0;
  for (std::size_t i = whole; i < numbers.size(); ++i)
    sum += static_cast<double>(numbers[i]) * static_cast<double>(numbers[i]);
  for (const double part : sums) sum += part;
  return std::sqrt(sum);
}

void add_scaled(std::span<float> into, std::span<const float> from, float scale) {
  assert(into.size() == from.size());
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i] * scale;
}

void move_average(std::span<float> average, std::span<const float> numbers, double decay) {
  assert(average.size() <= numbers.size());
  const float keep = static_cast<float>(decay), take = static_cast<float>(1 - decay);
  for (std::size_t i = 0; i < average.size(); ++i)
    average[i] = keep * average[i] + take * numbers[i];
}

}  // namespace aleph::train
