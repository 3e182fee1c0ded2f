#include "train/optimizer.h"

#include <doctest/doctest.h>

#include <cmath>

namespace aleph::train {
namespace {

using Kind = OptimizerConfig::Kind;

// Adam as its paper has it, in double.
struct ByTheBook {
  OptimizerConfig config;
  double m = 0, v = 0;
  double step(double weight, double gradient, double rate, bool decays, int t) {
    const double decay = decays ? config.weight_decay : 0;
    if (config.kind == Kind::AdamW)
      weight -= rate * decay * weight;
    else
      gradient += decay * weight;
    m = config.beta1 * m + (1 - config.beta1) * gradient;
    v = config.beta2 * v + (1 - config.beta2) * gradient * gradient;
    const double m_hat = m / (1 - std::pow(config.beta1, t));
    const double v_hat = v / (1 - std::pow(config.beta2, t));
    return weight - rate * m_hat / (std::sqrt(v_hat) + config.epsilon);
  }
};

TEST_CASE("Adam and AdamW are those of the paper, and decay is only where it should be") {
  for (const Kind kind : {Kind::Adam, Kind::AdamW}) {
    const OptimizerConfig config{.kind = kind, .weight_decay = 0.1};
    Adam adam(config, 40, {{20, 10}});
    Flat weights(40), gradient(40);
    std::vector<ByTheBook> books(40, ByTheBook{config});
    std::vector<double> expected(40);
    for (std::size_t i = 0; i < 40; ++i)
      expected[i] = weights[i] = 0.1F * static_cast<float>(i) - 2.0F;
    for (int t = 1; t <= 20; ++t) {
      const double rate = 0.01 / t;
      for (std::size_t i = 0; i < 40; ++i) {
        gradient[i] = std::sin(static_cast<float>(i) + static_cast<float>(t));
        const bool decays = i >= 20 && i < 30;
        expected[i] = books[i].step(expected[i], 0.5 * gradient[i], rate, decays, t);
      }
      adam.step(weights, gradient, 0.5, rate, static_cast<std::uint64_t>(t));
    }
    for (std::size_t i = 0; i < 40; ++i)
      CHECK(weights[i] == doctest::Approx(expected[i]).epsilon(1e-5));
  }
}

TEST_CASE("a weight without a gradient stays where it is") {
  Adam adam(OptimizerConfig{}, 3, {});
  Flat weights{1, 2, 3}, gradient{0, 0, 0};
  adam.step(weights, gradient, 1, 0.1, 1);
  CHECK(weights == Flat{1, 2, 3});
}

TEST_CASE("norms and averages") {
  Flat numbers(1000, 2.0F);
  CHECK(norm_of(numbers) == doctest::Approx(2 * std::sqrt(1000.0)));
  CHECK(norm_of({}) == 0);
  Flat average{1, 1};
  move_average(average, Flat{3, 5}, 0.75);
  CHECK(average == Flat{1.5F, 2});
  add_scaled(average, Flat{1, 1}, 0.5F);
  CHECK(average == Flat{2, 2.5F});
}

}  // namespace
}  // namespace aleph::train
