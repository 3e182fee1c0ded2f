// Losses of one row, each with its gradient, in plain numbers. `factor` is what the row counts;
// gradients are added, times the factor, to what is there; the loss that is returned does not have
// the factor in it.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace aleph::train {

// Cross entropy of softmax(logits) with target, which sums to 1.
double cross_entropy(std::span<const float> logits, std::span<const float> target, double factor,
                     std::span<float> gradient);

// 1 - smoothing for the right one of K, smoothing / (K - 1) for each other (seed 002). Of one that
// has no others: 1.
void smoothed_target(std::size_t right, double smoothing, std::span<float> target);

// Distillation (Hinton and others, 2015): the cross entropy of both at a temperature, times its
// square, so that the gradient keeps its size. teacher: probabilities at temperature 1.
double distilled_cross_entropy(std::span<const float> logits, std::span<const float> teacher,
                               double temperature, double factor, std::span<float> gradient);

double squared_error(double answer, double target, double factor, float& gradient);

// Seed 001: five quantiles of a number, and what is lost by missing it.
inline constexpr std::array kQuantileLevels{0.1, 0.25, 0.5, 0.75, 0.9};
inline constexpr std::size_t kQuantiles = kQuantileLevels.size();

// They cannot cross: the first answer is the lowest quantile, and each other one is a step upwards
// (softplus) from the one before.
std::array<double, kQuantiles> monotone_quantiles(std::span<const float, kQuantiles> answers);

// The sum over levels of level * (target - q) where the target is above, (1 - level) * (q - target)
// where it is below. The gradient is that of the answers, not of the quantiles.
double pinball(std::span<const float, kQuantiles> answers, double target, double factor,
               std::span<float, kQuantiles> gradient);

}  // namespace aleph::train
