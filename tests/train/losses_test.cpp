#include "train/losses.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "base/rng.h"
#include "model_configs.h"
#include "nets/graph/build.h"
#include "train/loss_terms.h"
#include "train/random_samples.h"

namespace aleph::train {
namespace {

std::vector<float> random_numbers(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(4 * rng.uniform() - 2);
  return numbers;
}

// The slope of a loss at every number, from values alone.
void check_slopes(std::vector<float> numbers, const std::vector<float>& gradient,
                  const std::function<double(const std::vector<float>&)>& loss,
                  double tolerance = 2e-3) {
  constexpr float kStep = 1e-2F;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float number = numbers[i];
    numbers[i] = number + kStep;
    const double above = loss(numbers);
    numbers[i] = number - kStep;
    const double below = loss(numbers);
    numbers[i] = number;
    INFO("number " << i);
    CHECK(gradient[i] == doctest::Approx((above - below) / (2 * kStep)).epsilon(tolerance));
  }
}

TEST_CASE("cross entropy of even logits is the logarithm of their number") {
  const std::vector<float> logits(64, 3.0F);
  std::vector<float> target(64), gradient(64, 0.0F);
  smoothed_target(5, 0, target);
  CHECK(cross_entropy(logits, target, 1, gradient) == doctest::Approx(std::log(64.0)));
  CHECK(gradient[5] == doctest::Approx(1.0 / 64 - 1));
  CHECK(gradient[6] == doctest::Approx(1.0 / 64));
}

TEST_CASE("smoothing gives the others an even share of epsilon") {
  std::vector<float> target(64);
  smoothed_target(3, 0.1, target);
  CHECK(target[3] == doctest::Approx(0.9));
  CHECK(target[4] == doctest::Approx(0.1 / 63));
  CHECK(std::accumulate(target.begin(), target.end(), 0.0) == doctest::Approx(1));
  std::vector<float> only(1);
  smoothed_target(0, 0.1, only);
  CHECK(only[0] == 1.0F);
}

TEST_CASE("smoothed cross entropy of two logits, by hand") {
  // Shares: 1 / (1 + e^-1) = 0.731059 and 0.268941; their logarithms: -0.313262 and -1.313262.
  const std::vector<float> logits{1.0F, 0.0F};
  std::vector<float> target(2), gradient(2, 0.0F);
  smoothed_target(0, 0.1, target);
  CHECK(cross_entropy(logits, target, 2, gradient) ==
        doctest::Approx(0.9 * 0.313262 + 0.1 * 1.313262).epsilon(1e-5));
  CHECK(gradient[0] == doctest::Approx(2 * (0.731059 - 0.9)).epsilon(1e-5));
  CHECK(gradient[1] == doctest::Approx(2 * (0.268941 - 0.1)).epsilon(1e-5));
}

TEST_CASE("slopes of cross entropy and distillation are those of their values") {
  const std::vector<float> logits = random_numbers(9, 1);
  std::vector<float> target = random_numbers(9, 2);
  float sum = 0;
  for (float& share : target) sum += share = std::exp(share);
  for (float& share : target) share /= sum;
  std::vector<float> gradient(9, 0.0F), unused(9);
  cross_entropy(logits, target, 1, gradient);
  check_slopes(logits, gradient,
               [&](const auto& at) { return cross_entropy(at, target, 0, unused); });
  for (const double temperature : {1.0, 2.5}) {
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    distilled_cross_entropy(logits, target, temperature, 1, gradient);
    check_slopes(logits, gradient, [&](const auto& at) {
      return distilled_cross_entropy(at, target, temperature, 0, unused);
    });
  }
}

TEST_CASE("a student that answers like its teacher has nothing to learn") {
  const std::vector<float> logits{0.5F, -1.0F, 2.0F};
  std::vector<float> teacher, gradient(3, 0.0F);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit);
  for (const float logit : logits) teacher.push_back(static_cast<float>(std::exp(logit) / sum));
  distilled_cross_entropy(logits, teacher, 3, 1, gradient);
  for (const float slope : gradient) CHECK(std::abs(slope) < 1e-6);
}

TEST_CASE("squared error") {
  float gradient = 1;
  CHECK(squared_error(0.5, -1, 2, gradient) == doctest::Approx(2.25));
  CHECK(gradient == doctest::Approx(1 + 2 * 2 * 1.5));
}

TEST_CASE("quantiles cannot cross, and pinball loss is as by hand") {
  const std::vector<float> raw{0.2F, -3.0F, 0.0F, 1.0F, -20.0F};
  const auto quantiles = monotone_quantiles(std::span<const float, kQuantiles>(raw));
  CHECK(quantiles[0] == doctest::Approx(0.2));
  CHECK(quantiles[2] - quantiles[1] == doctest::Approx(std::log(2.0)));
  for (std::size_t i = 1; i < kQuantiles; ++i) CHECK(quantiles[i] >= quantiles[i - 1]);

  double by_hand = 0;
  for (std::size_t i = 0; i < kQuantiles; ++i) {
    const double difference = 1.0 - quantiles[i];
    by_hand += std::max(kQuantileLevels[i] * difference, (kQuantileLevels[i] - 1) * difference);
  }
  std::vector<float> gradient(kQuantiles, 0.0F), unused(kQuantiles);
  const auto loss = [&](const std::vector<float>& at, double factor, std::vector<float>& into) {
    return pinball(std::span<const float, kQuantiles>(at), 1.0, factor,
                   std::span<float, kQuantiles>(into));
  };
  CHECK(loss(raw, 1, gradient) == doctest::Approx(by_hand));
  check_slopes(
      raw, gradient, [&](const auto& at) { return loss(at, 0, unused); }, 1e-2);
}

TEST_CASE("pinball loss is smallest at the quantile") {
  // Of the numbers 0 to 99, the level 0.9 is best answered with 90.
  std::vector<float> unused(kQuantiles);
  const auto loss_of = [&](float top) {
    // All steps but the last are nothing; four quantiles stay where they are.
    const std::vector<float> raw{0.0F, -50.0F, -50.0F, -50.0F, top};
    double sum = 0;
    for (int i = 0; i < 100; ++i)
      sum += pinball(std::span<const float, kQuantiles>(raw), i, 0,
                     std::span<float, kQuantiles>(unused));
    return sum;
  };
  CHECK(loss_of(90) < loss_of(80));
  CHECK(loss_of(90) < loss_of(96));
}

TEST_CASE("terms of a config: only the rows that they concern count") {
  const nets::NetSpec spec = test::model_named("human-small");
  const nets::Graph graph = nets::build_graph(spec).take();
  const LossTerms terms =
      LossTerms::make({{.kind = LossKind::LegalPolicy, .weight = 2}, {.kind = LossKind::Promotion}},
                      graph)
          .take();
  Samples samples = random_samples(spec, 6, 3).take();
  samples.promotion.assign(6, -1);
  samples.promotion[4] = 2;
  const std::vector<double> counts = terms.counts(samples);
  CHECK(counts == std::vector<double>{6, 1});

  Answers answers{random_numbers(6 * 4096, 4), random_numbers(6 * 4, 5)};
  Answers gradients{std::vector<float>(answers[0].size()), std::vector<float>(answers[1].size())};
  const std::vector<double> factors{2.0 / 6, 1.0};
  std::vector<double> sums(2, 0.0);
  terms.add(samples, {0, 6}, answers, factors, sums, gradients);
  // What is not legal has no slope; promotions have one in their row alone.
  for (std::size_t i = 0; i < gradients[1].size(); ++i)
    CHECK((gradients[1][i] != 0) == (i / 4 == 4));
  for (std::size_t row = 0; row < 6; ++row) {
    const auto begin = samples.legal.begin() + samples.legal_begin[row];
    const auto end = samples.legal.begin() + samples.legal_begin[row + 1];
    double sum = 0;
    for (int place = 0; place < 4096; ++place) {
      const float slope = gradients[0][row * 4096 + static_cast<std::size_t>(place)];
      sum += slope;
      CHECK((std::find(begin, end, place) != end || slope == 0));
    }
    CHECK(std::abs(sum) < 1e-5);
  }
  // In parts they are the same.
  std::vector<double> parts(2, 0.0);
  for (std::size_t row = 0; row < 6; ++row) {
    const auto cut = [&](const std::vector<float>& all, std::size_t width) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row * width);
      return std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(width));
    };
    Answers slopes{std::vector<float>(4096), std::vector<float>(4)};
    terms.add(samples, {row, 1}, {cut(answers[0], 4096), cut(answers[1], 4)}, factors, parts,
              slopes);
    CHECK(slopes[1] == cut(gradients[1], 4));
    CHECK(slopes[0] == cut(gradients[0], 4096));
  }
  CHECK(parts[0] == doctest::Approx(sums[0]));
  CHECK(parts[1] == doctest::Approx(sums[1]));
}

TEST_CASE("every term has the slope of its value, also over pairs of squares") {
  const nets::NetSpec spec = test::tiny_resnet();
  const nets::Graph graph = nets::build_graph(spec).take();
  Samples samples = random_samples(spec, 1, 8).take();
  samples.result = {2}, samples.value = {-1.0F};
  samples.teacher_policy.assign(samples.legal.size(),
                                1.0F / static_cast<float>(samples.legal.size()));
  samples.teacher_wdl = {0.5F, 0.3F, 0.2F};
  for (const LossKind kind : {LossKind::FromTo, LossKind::LegalPolicy, LossKind::Policy,
                              LossKind::DistilPolicy, LossKind::Value, LossKind::DistilValue}) {
    const LossTerm term{.kind = kind, .weight = 1, .smoothing = 0.1, .temperature = 2};
    const LossTerms terms = LossTerms::make({term}, graph).take();
    const std::size_t output = kind == LossKind::Value || kind == LossKind::DistilValue ? 1 : 0;
    Answers answers{random_numbers(128, 6), random_numbers(1, 7)};
    const auto loss = [&](const std::vector<float>& at, double factor, Answers& gradients) {
      gradients = {std::vector<float>(128), std::vector<float>(1)};
      answers[output] = at;
      std::vector<double> sums(1, 0.0);
      terms.add(samples, {0, 1}, answers, std::vector<double>{factor}, sums, gradients);
      return sums[0];
    };
    Answers gradients, unused;
    const std::vector<float> at = answers[output];
    loss(at, 1, gradients);
    INFO("kind " << static_cast<int>(kind));
    check_slopes(at, gradients[output], [&](const auto& there) { return loss(there, 0, unused); });
  }
}

TEST_CASE("a loss without its head is refused with a sentence") {
  const nets::Graph graph = nets::build_graph(test::tiny_resnet()).take();
  const auto refused = LossTerms::make({{.kind = LossKind::Promotion}}, graph);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error() ==
        "the loss promotion needs a promotion4 head, which the network does not have");
  CHECK_FALSE(LossTerms::make({{.kind = LossKind::Pinball}}, graph).ok());
}

}  // namespace
}  // namespace aleph::train
