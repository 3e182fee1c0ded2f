// A network that cannot learn 512 positions by heart cannot learn at all.
#include <doctest/doctest.h>

#include <filesystem>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "nets/spec/spec_yaml.h"
#include "support/shared_data.h"
#include "train/learner.h"
#include "train/metrics.h"
#include "train/sample_source.h"
#include "train/tiny_data.h"

namespace aleph::train {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string model;
  data::Schema schema;
  std::vector<LossKind> losses;
  double rate;
};

constexpr std::size_t kRows = 512;

template <class T>
std::vector<T> picked(const std::vector<T>& from, std::size_t rows,
                      std::span<const std::size_t> which) {
  std::vector<T> to;
  const std::size_t width = from.size() / rows;
  for (const std::size_t row : which)
    for (std::size_t i = 0; i < width; ++i) to.push_back(from[row * width + i]);
  return to;
}

// Some rows of the samples, in this order.
Samples picked(const Samples& from, std::span<const std::size_t> which) {
  const auto part = [&](const auto& numbers) { return picked(numbers, from.size, which); };
  Samples to;
  to.size = which.size();
  to.planes = part(from.planes), to.tokens = part(from.tokens), to.context = part(from.context);
  to.move = part(from.move), to.from = part(from.from), to.to = part(from.to);
  to.promotion = part(from.promotion), to.value = part(from.value), to.result = part(from.result);
  to.think_time = part(from.think_time), to.rating = part(from.rating);
  to.pieces = part(from.pieces);
  to.legal_begin.push_back(0);
  for (const std::size_t row : which) {
    for (int i = from.legal_begin[row]; i < from.legal_begin[row + 1]; ++i)
      to.legal.push_back(from.legal[static_cast<std::size_t>(i)]);
    to.legal_begin.push_back(static_cast<std::int32_t>(to.legal.size()));
  }
  return to;
}

// In random batches: rows of one game that always come together would be told apart by the
// statistics of their batch norms, which an answer does not have.
void learn(Learner& learner, const Samples& rows, std::uint64_t steps, std::size_t batch) {
  Rng rng(1);
  std::vector<std::size_t> order(kRows);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint64_t step = 0; step < steps; ++step) {
    const std::size_t at = step * batch % kRows;
    if (at == 0)
      for (std::size_t i = kRows; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
    const auto result = learner.step(picked(rows, std::span(order).subspan(at, batch)));
    REQUIRE(result.ok());
    REQUIRE(result.value().is_finite);
  }
}

// The share of moves among all answers, after so many passes over the same 512 rows.
Share learned_by_heart(const Case& tried, std::uint64_t passes) {
  const TinyData data(tried.schema, 30);
  TrainConfig config;
  config.name = "by-heart";
  const fs::path models = test::tests_data().parent_path().parent_path() / "configs" / "models";
  config.model = nets::read_spec_yaml(models / (tried.model + ".yml")).take();
  // What keeps a network from learning by heart.
  std::visit([](auto& trunk) { trunk.dropout = 0; }, config.model.trunk);
  for (const LossKind kind : tried.losses) config.losses.push_back({.kind = kind});
  config.schedule.rate = tried.rate;
  config.schedule.warmup = 20;
  config.schedule.final_share = 0.02;
  config.batch = 64;
  config.micro_batch = 64;
  const std::uint64_t steps = passes * (kRows / config.batch);

  SourceOptions options;
  options.rows = kRows;
  const auto source = SampleSource::open(data.open(), config.model, options).take();
  const Samples rows = source->next().take();
  REQUIRE(rows.size == kRows);
  const auto learner = Learner::make(config, steps).take();
  learn(*learner, rows, steps, config.batch);
  MetricsMeter meter(learner->graph());
  meter.add(rows, learner->evaluate(rows, false));
  MESSAGE(tried.model << ": " << meter.metrics().move.value() << " of moves, legal top-1 "
                      << meter.metrics().legal1.value());
  return meter.metrics().move;
}

void check_learns_by_heart(const Case& tried) {
  INFO(tried.model);
  CHECK(learned_by_heart(tried, 100).value() > 0.95);
}

using data::Schema;

TEST_SUITE("long") {
  TEST_CASE("policy-cnn-tiny learns 512 positions by heart") {
    check_learns_by_heart({"policy-cnn-tiny", Schema::Policy, {LossKind::FromTo}, 3e-3});
  }
  TEST_CASE("policy-transformer-tiny learns 512 positions by heart") {
    check_learns_by_heart({"policy-transformer-tiny", Schema::Policy, {LossKind::FromTo}, 2e-3});
  }
  TEST_CASE("az-cnn-small learns 512 positions by heart") {
    check_learns_by_heart(
        {"az-cnn-small", Schema::Policy, {LossKind::Policy, LossKind::Value}, 2e-3});
  }
  TEST_CASE("az-transformer-small learns 512 positions by heart") {
    check_learns_by_heart({"az-transformer-small", Schema::Policy, {LossKind::Policy}, 1e-3});
  }
  TEST_CASE("human-small learns 512 positions by heart") {
    check_learns_by_heart(
        {"human-small", Schema::Human, {LossKind::Policy, LossKind::Promotion}, 1e-3});
  }
  TEST_CASE("strategist-small learns 512 positions by heart") {
    check_learns_by_heart(
        {"strategist-small", Schema::Policy, {LossKind::Policy, LossKind::Result}, 1e-3});
  }
}

}  // namespace
}  // namespace aleph::train
