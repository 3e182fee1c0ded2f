// The trainer's numbers against a slow twin, against libtorch, and against themselves.
#include "train/nnue/nnue_step.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "train/nnue/nnue_export.h"
#include "train/nnue/torch_twin.h"
#include "train/slow_nnue.h"

using namespace aleph;
using namespace aleph::train;

namespace {

constexpr StepSettings kExact{.loss_power = 2.5,
                              .score_scale = 410,
                              .factorised = false,
                              .whole_activations = false,
                              .whole_weights = false,
                              .transformer_limit = 2};

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// Largest difference, and largest value, of two arrays.
std::pair<double, double> distance(std::span<const float> a, std::span<const float> b) {
  double apart = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    apart = std::max(apart, std::abs(double{a[i]} - double{b[i]}));
    largest = std::max(largest, std::abs(double{b[i]}));
  }
  return {apart, largest};
}

}  // namespace

TEST_CASE("outputs and losses are those of the slow twin") {
  NnueModel model = test::lively_model(64, 3);
  const SparseBatch batch = test::random_batch(5, 300);
  for (const NnueKernels* kernels : runnable_nnue_kernels()) {
    CAPTURE(kernels->name);
    NnueStep step(model, kExact, 2, *kernels);
    const std::vector<float> outputs = step.outputs(batch);
    for (std::size_t i = 0; i < batch.positions(); ++i)
      CHECK(double{outputs[i]} ==
            doctest::Approx(test::slow_output(model, batch, i)).epsilon(1e-4));
    CHECK(step.loss(batch) == doctest::Approx(test::slow_loss(model, kExact, batch)).epsilon(1e-5));
  }
}

TEST_CASE("gradients are the differences of the slow twin's loss") {
  NnueModel model = test::lively_model(32, 11);
  const SparseBatch batch = test::random_batch(7, 40);
  NnueStep step(model, kExact, 1);
  NnueModel gradient = step.gradient(batch);
  Rng rng(1);
  const auto arrays = model.arrays(), gradients = gradient.arrays();
  int moving = 0, wrong = 0, checked = 0;
  for (std::size_t a = 0; a < arrays.size(); ++a)
    for (int i = 0; i < 60; ++i) {
      // Of the tables, a place that some position touches.
      std::size_t at = rng.below(arrays[a].size());
      if (a < 2) {
        const std::size_t width = a == 0 ? model.width : 8;
        at = batch.features[rng.below(batch.features.size())] * width + rng.below(width);
      }
      float& value = arrays[a][at];
      const float kept = value;
      constexpr float kStep = 1e-3F;
      value = kept + kStep;
      const double above = double{value}, up = test::slow_loss(model, kExact, batch);
      value = kept - kStep;
      const double below = double{value}, down = test::slow_loss(model, kExact, batch);
      value = kept;
      const double expected = (up - down) / (above - below), found = double{gradients[a][at]};
      ++checked;
      moving += std::abs(expected) > 1e-7;
      // A clip between the two points makes the difference wrong, not the gradient: some may be.
      wrong += std::abs(expected - found) > 2e-3 * std::abs(expected) + 2e-6;
    }
  CHECK(moving > checked / 5);
  CHECK(wrong <= checked / 20);
}

TEST_CASE("gradients are those of libtorch") {
  NnueModel model = test::lively_model(64, 21);
  const SparseBatch batch = test::random_batch(9, 500);
  NnueModel expected = TorchTwin(model, kExact, 1).gradient(batch);
  for (const NnueKernels* kernels : runnable_nnue_kernels()) {
    CAPTURE(kernels->name);
    NnueModel found = NnueStep(model, kExact, 2, *kernels).gradient(batch);
    for (std::size_t a = 0; a < 4; ++a) {
      CAPTURE(a);
      const auto [apart, largest] = distance(found.arrays()[a], expected.arrays()[a]);
      CHECK(largest > 0);
      CHECK(apart < 1e-4 * largest + 1e-8);
    }
  }
}

TEST_CASE("training is the same bit for bit with any number of threads") {
  StepSettings settings = kExact;
  settings.factorised = settings.whole_activations = true;
  const auto trained = [&](std::size_t threads) {
    NnueModel model = NnueModel::random(128, 4);
    NnueStep step(model, settings, threads);
    for (std::uint64_t i = 0; i < 4; ++i) step.train(test::random_batch(i, 700), 1e-3);
    return model;
  };
  NnueModel one = trained(1);
  for (const std::size_t threads : {2, 3}) {
    NnueModel other = trained(threads);
    for (std::size_t a = 0; a < 4; ++a) CHECK(same_bits(one.arrays()[a], other.arrays()[a]));
  }
}

TEST_CASE("what is learnt about a piece on a square reaches the king buckets that never saw it") {
  const SparseBatch batch = test::random_batch(2, 200);
  std::size_t untouched = kFeatures;
  for (std::size_t f = 0; f < kFeatures && untouched == kFeatures; ++f) {
    bool elsewhere = false;
    for (std::size_t king = 0; king < kKingBuckets; ++king)
      elsewhere = elsewhere || !batch.rows_of(king * kPieceSquares + f % kPieceSquares).empty();
    if (elsewhere && batch.rows_of(f).empty()) untouched = f;
  }
  REQUIRE(untouched < kFeatures);
  for (const bool factorised : {true, false}) {
    CAPTURE(factorised);
    NnueModel model = NnueModel::random(64, 4), before = NnueModel::random(64, 4);
    StepSettings settings = kExact;
    settings.factorised = factorised;
    NnueStep(model, settings, 1).train(batch, 1e-3);
    const auto row = [&](NnueModel& of) { return of.weight.span().subspan(untouched * 64, 64); };
    CHECK(same_bits(row(model), row(before)) != factorised);
  }
}

TEST_CASE("a network learns a small set by heart, within the limits of its file") {
  NnueModel model = NnueModel::random(64, 1);
  const SparseBatch batch = test::random_batch(13, 300);
  StepSettings settings;
  settings.loss_power = 2;
  settings.transformer_limit = 0.5F;
  NnueStep step(model, settings, 2);
  const double before = step.loss(batch);
  for (int i = 0; i < 150; ++i) step.train(batch, 5e-3);
  CHECK(step.loss(batch) < before / 5);
  for (const float weight : model.weight) REQUIRE(std::abs(weight) <= 0.5F);
  const StackShape shape = model.shape();
  for (std::size_t b = 0; b < 8; ++b) {
    for (std::size_t i = 0; i < shape.first_bias(); ++i)
      REQUIRE(std::abs(model.stack(b)[i]) <= kHiddenLimit);
    for (std::size_t i = 0; i < 32; ++i)
      REQUIRE(std::abs(model.stack(b)[shape.third_weight() + i]) <= kOutputLimit);
  }
}

TEST_CASE("with whole weights the layers answer as their bytes would") {
  auto rounded = model_of(quantised(test::lively_model(64, 3), ""));
  REQUIRE(rounded.ok());
  NnueModel exact = rounded.take(), near = NnueModel::empty(64);
  const auto from = exact.arrays(), to = near.arrays();
  for (std::size_t a = 0; a < from.size(); ++a) std::ranges::copy(from[a], to[a].begin());
  const StackShape shape = near.shape();
  for (std::size_t b = 0; b < 8; ++b)
    for (std::size_t i = 0; i < shape.first_bias(); ++i)
      near.stacks[b * shape.size() + i] += (i % 2 == 0 ? 0.4F : -0.4F) / kHiddenSteps;
  const SparseBatch batch = test::random_batch(5, 100);
  StepSettings settings = kExact;
  const auto expected = NnueStep(exact, settings, 1).outputs(batch);
  CHECK(NnueStep(near, settings, 1).outputs(batch) != expected);
  settings.whole_weights = true;
  const auto whole = NnueStep(near, settings, 1).outputs(batch);
  for (std::size_t i = 0; i < whole.size(); ++i)
    CHECK(whole[i] == doctest::Approx(expected[i]).epsilon(1e-4));
}

TEST_CASE("a batch lists the same pairs by position and by feature, sorted by bucket") {
  const SparseBatch batch = test::random_batch(17, 500);
  REQUIRE(batch.positions() == 500);
  CHECK(std::is_sorted(batch.bucket.begin(), batch.bucket.end()));
  std::size_t pairs = 0;
  for (std::size_t row = 0; row < 1000; ++row)
    for (const std::size_t feature : batch.features_of(row)) {
      const auto rows = batch.rows_of(feature);
      CHECK(std::binary_search(rows.begin(), rows.end(), row));
      ++pairs;
    }
  CHECK(pairs == batch.rows.size());
}
