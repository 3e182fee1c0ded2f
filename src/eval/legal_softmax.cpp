#include "eval/legal_softmax.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace aleph::eval {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

float without_nan(float logit) { return std::isnan(logit) ? kNever : logit; }

// What a move weighs against the best one, which weighs 1. In double: the difference of two floats
// is then finite, so that no temperature makes 0 / 0 or inf / inf of it.
double weight(float logit, float best, float temperature) {
  if (logit == best) return 1;
  if (logit == kNever || !(temperature > 0) || std::isinf(best)) return 0;
  return std::exp((static_cast<double>(logit) - static_cast<double>(best)) /
                  static_cast<double>(temperature));
}

}  // namespace

void legal_softmax(std::span<const float> logits, float temperature,
                   std::span<float> probabilities) {
  assert(logits.size() == probabilities.size());
  float best = kNever;
  for (const float logit : logits) best = std::max(best, without_nan(logit));
  double sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double w = weight(without_nan(logits[i]), best, temperature);
    probabilities[i] = static_cast<float>(w);
    sum += w;
  }
  for (float& probability : probabilities)
    probability = static_cast<float>(static_cast<double>(probability) / sum);
}

}  // namespace aleph::eval
