#include "train/losses.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace aleph::train {
namespace {

// log(sum of exp(logit * scale))
double log_sum(std::span<const float> logits, double scale) {
  const double most = *std::max_element(logits.begin(), logits.end()) * scale;
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit * scale - most);
  return most + std::log(sum);
}

double softplus(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

double cross_entropy(std::span<const float> logits, std::span<const float> target, double factor,
                     std::span<float> gradient) {
  assert(!logits.empty() && target.size() == logits.size() && gradient.size() == logits.size());
  const double total = log_sum(logits, 1);
  double loss = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double log_share = logits[i] - total;
    if (target[i] != 0) loss -= target[i] * log_share;
    gradient[i] += static_cast<float>(factor * (std::exp(log_share) - target[i]));
  }
  return loss;
}

void smoothed_target(std::size_t right, double smoothing, std::span<float> target) {
  assert(right < target.size());
  const double others = static_cast<double>(target.size() - 1);
  std::fill(target.begin(), target.end(), others > 0 ? static_cast<float>(smoothing / others) : 0);
  target[right] = others > 0 ? static_cast<float>(1 - smoothing) : 1.0F;
}

double distilled_cross_entropy(std::span<const float> logits, std::span<const float> teacher,
                               double temperature, double factor, std::span<float> gradient) {
  assert(!logits.empty() && teacher.size() == logits.size() && gradient.size() == logits.size());
  const double cool = 1 / temperature;
  // A power of probabilities is what their logits give at the temperature.
  double sum = 0;
  for (const float share : teacher) sum += std::pow(double{share}, cool);
  if (sum <= 0) return 0;  // the teacher knows no such move
  const double total = log_sum(logits, cool);
  double loss = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double target = std::pow(double{teacher[i]}, cool) / sum;
    const double log_share = logits[i] * cool - total;
    if (target != 0) loss -= target * log_share;
    gradient[i] += static_cast<float>(factor * temperature * (std::exp(log_share) - target));
  }
  return loss * temperature * temperature;
}

double squared_error(double answer, double target, double factor, float& gradient) {
  const double difference = answer - target;
  gradient += static_cast<float>(factor * 2 * difference);
  return difference * difference;
}

std::array<double, kQuantiles> monotone_quantiles(std::span<const float, kQuantiles> answers) {
  std::array<double, kQuantiles> quantiles{};
  quantiles[0] = answers[0];
  for (std::size_t i = 1; i < kQuantiles; ++i)
    quantiles[i] = quantiles[i - 1] + softplus(answers[i]);
  return quantiles;
}

double pinball(std::span<const float, kQuantiles> answers, double target, double factor,
               std::span<float, kQuantiles> gradient) {
  const std::array<double, kQuantiles> quantiles = monotone_quantiles(answers);
  double loss = 0;
  double slope = 0;  // of this quantile and all above it: an answer moves all of them
  for (std::size_t i = kQuantiles; i-- > 0;) {
    const double above = target - quantiles[i];
    loss += above >= 0 ? kQuantileLevels[i] * above : (kQuantileLevels[i] - 1) * above;
    slope += above >= 0 ? -kQuantileLevels[i] : 1 - kQuantileLevels[i];
    gradient[i] += static_cast<float>(factor * slope * (i == 0 ? 1.0 : sigmoid(answers[i])));
  }
  return loss;
}

}  // namespace aleph::train
