// The trainer of quantile layers against the engine's integers, against libtorch, and against
// itself with other numbers of threads.
#include "train/quantile/quantile_step.h"

#include <doctest/doctest.h>

#include <cmath>

#include "nnue/quantile/quantile_forward.h"
#include "train/quantile/quantile_export.h"
#include "train/quantile/quantile_kernels.h"
#include "train/quantile/quantile_twin.h"
#include "train/quantile_data.h"

namespace aleph::train {
namespace {

constexpr QuantileLoss kLoss{MadeUpFeatures::kUnit};

double largest(const AlignedVector<float>& values) {
  double most = 0;
  for (const float value : values) most = std::max(most, std::abs(static_cast<double>(value)));
  return most;
}

double largest_difference(const QuantileModel& a, const QuantileModel& b) {
  AlignedVector<float> difference(a.values.size());
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] = a.values[i] - b.values[i];
  return largest(difference);
}

TEST_CASE("a cache of features gives back what was written") {
  const MadeUpFeatures made(50, 64, 3);
  const FeatureCache& cache = made.cache();
  REQUIRE(cache.rows() == 50);
  CHECK(cache.width() == 64);
  CHECK(cache.scores_per_row() == 3);
  std::vector<std::uint8_t> bytes(64);
  const auto features = std::make_unique<nnue::TransformedFeatures>();
  std::vector<std::uint16_t> places(64);
  std::vector<float> values(64);
  for (std::size_t row = 0; row < 50; ++row) {
    cache.unpack(row, bytes.data());
    CHECK(bytes == made.written[row]);
    cache.unpack(row, *features);
    CHECK(std::equal(bytes.begin(), bytes.end(), features->bytes.begin()));
    const std::size_t count = cache.unpack_sparse(row, places.data(), values.data());
    CHECK(count == 64 - static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), 0)));
    for (std::size_t i = 0; i < count; ++i) CHECK(values[i] == bytes[places[i]]);
  }
}

TEST_CASE("a file of features that is cut short or of another kind is refused") {
  const MadeUpFeatures made(20, 32, 1);
  const auto size = std::filesystem::file_size(made.file());
  const auto other = made.file().parent_path() / "other.bin";
  std::filesystem::copy_file(made.file(), other);
  std::filesystem::resize_file(other, size - 1);
  const auto cut = FeatureCache::open(other);
  REQUIRE_FALSE(cut.ok());
  CHECK(cut.error().ends_with("other.bin: this is no file of features"));
}

TEST_CASE("floats that hold whole numbers answer as the engine's integers do") {
  const MadeUpFeatures made(400, 256, 1);
  QuantileModel model = lively_model(256, 3);
  const nnue::QuantileNetwork network = rounded_network(model);
  QuantileStep step(model, made.cache(), kLoss, 1);
  const auto rows = made.rows(0, 400);
  const std::vector<RowLogits> answers = step.logits(rows);
  double widest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const nnue::QuantileLogits exact = nnue::quantile_logits_slow(
        network.stacks[made.cache().row(i).bucket], 256, made.written[i].data());
    // Only the parabola is rounded, once for each step.
    for (std::size_t k = 0; k < 5; ++k)
      CHECK(std::abs(answers[i][k] * nnue::kQuantileOne - exact[k]) < 1.0 + static_cast<double>(k));
    widest = std::max(widest, answers[i][4] - answers[i][0]);
  }
  CHECK(widest > 0.5);
}

TEST_CASE("libtorch agrees about answers, loss and gradients, rounded and not") {
  const MadeUpFeatures made(60, 64, 2);
  const auto rows = made.rows(0, 60);
  for (const auto& [whole, logit_weight] :
       {std::pair(false, 0.0), std::pair(true, 0.0), std::pair(true, 0.1)}) {
    CAPTURE(whole);
    CAPTURE(logit_weight);
    QuantileModel model = lively_model(64, 5);
    const QuantileLoss wanted{kLoss.score_unit, logit_weight};
    QuantileStep step(model, made.cache(), wanted, 1, whole);
    QuantileTwin twin(model, made.cache(), wanted, whole);
    const auto ours = step.logits(rows), theirs = twin.logits(rows);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t k = 0; k < 5; ++k) CHECK(std::abs(ours[i][k] - theirs[i][k]) < 2e-5);
    CHECK(step.loss(rows) == doctest::Approx(twin.loss(rows)).epsilon(1e-6));
    const QuantileModel gradient = step.gradient(rows), expected = twin.gradient(rows);
    CHECK(largest(expected.values) > 1e-4);
    CHECK(largest_difference(gradient, expected) < 1e-4 * largest(expected.values));
  }
}

TEST_CASE("gradients are what small changes say") {
  const MadeUpFeatures made(300, 64, 1);
  const auto rows = made.rows(0, 300);
  QuantileModel model = lively_model(64, 9);
  QuantileStep step(model, made.cache(), kLoss, 1, false);
  const QuantileModel gradient = step.gradient(rows);
  double square = 0;
  for (const float value : gradient.values)
    square += static_cast<double>(value) * static_cast<double>(value);
  // Along the gradient the loss changes by its square.
  const auto loss_at = [&](double way) {
    QuantileModel moved = model;
    for (std::size_t i = 0; i < moved.values.size(); ++i)
      moved.values[i] += static_cast<float>(way * static_cast<double>(gradient.values[i]));
    return QuantileStep(moved, made.cache(), kLoss, 1, false).loss(rows);
  };
  constexpr double kWay = 1e-2;
  const double change = (loss_at(kWay) - loss_at(-kWay)) / (2 * kWay);
  CHECK(change == doctest::Approx(square).epsilon(0.05));
}

TEST_CASE("the number of threads changes nothing, bit for bit") {
  const MadeUpFeatures made(500, 64, 1);
  QuantileModel one = lively_model(64, 7), three = one;
  QuantileStep alone(one, made.cache(), kLoss, 1), together(three, made.cache(), kLoss, 3);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto rows = made.rows(100 * i, 100 * i + 100);
    CHECK(alone.train(rows, 1e-2) == together.train(rows, 1e-2));
  }
  CHECK(one.values == three.values);
}

TEST_CASE("steps lower the loss, and weights stay within a byte") {
  const MadeUpFeatures made(2000, 64, 1);
  QuantileModel model = QuantileModel::random(64, 1, {});
  QuantileStep step(model, made.cache(), kLoss, 1);
  const auto rows = made.rows(0, 2000);
  const double before = step.loss(rows);
  for (int i = 0; i < 60; ++i) step.train(rows, 5e-2);
  CHECK(step.loss(rows) < 0.8 * before);
  const nnue::QuantileNetwork network = rounded_network(model);
  for (const nnue::QuantileStack& stack : network.stacks)
    for (const std::int8_t weight : stack.first_weight) CHECK(weight >= -127);
}

TEST_CASE("the step between quantiles is smooth, never negative, and can be turned round") {
  CHECK(quantile_step(-3) == 0);
  CHECK(quantile_step(3) == 3);
  CHECK(quantile_step(1) == doctest::Approx(1));
  for (const double t : {-0.9, -0.2, 0.0, 0.7, 1.5}) {
    CHECK(inverse_quantile_step(quantile_step(t)) == doctest::Approx(t));
    const double slope = (quantile_step(t + 1e-6) - quantile_step(t - 1e-6)) / 2e-6;
    CHECK(quantile_step_slope(t) == doctest::Approx(slope).epsilon(1e-4));
  }
}

TEST_CASE("the pinball loss is least at the quantile of its targets") {
  std::vector<double> targets;
  for (int i = 0; i < 1000; ++i) targets.push_back((i - 500) / 1000.0);
  RowLogits best{-0.4, -0.25, 0, 0.25, 0.4}, gradients;
  const double least = pinball_loss(0, best, targets, gradients);
  for (std::size_t k = 0; k < 5; ++k) {
    CHECK(std::abs(gradients[k]) < 1e-3);
    for (const double moved : {-0.05, 0.05}) {
      RowLogits other = best;
      other[k] += moved;
      CHECK(pinball_loss(0, other, targets, gradients) > least);
    }
  }
}

}  // namespace
}  // namespace aleph::train
