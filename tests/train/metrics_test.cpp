#include "train/metrics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/rng.h"
#include "nets/graph/build.h"
#include "nets/spec/spec_yaml.h"

namespace aleph::train {
namespace {

using Answers = std::vector<std::vector<float>>;

nets::Graph graph_with(const std::string& heads) {
  const auto spec = nets::parse_spec_yaml(
      "input: {kind: planes18}\ntrunk: {kind: resnet, channels: 8, blocks: 1}\nheads:\n" + heads,
      "net.yml");
  INFO((spec.ok() ? "" : spec.error()));
  REQUIRE(spec.ok());
  return nets::build_graph(spec.value()).take();
}

// One row with these legal places, of which the first was played.
void add_row(Samples& samples, const std::vector<std::int32_t>& legal, int promotion = -1) {
  if (samples.legal_begin.empty()) samples.legal_begin.push_back(0);
  ++samples.size;
  samples.move.push_back(legal.front());
  samples.from.push_back(legal.front() / 64);
  samples.to.push_back(legal.front() % 64);
  samples.promotion.push_back(static_cast<std::int8_t>(promotion));
  samples.legal.insert(samples.legal.end(), legal.begin(), legal.end());
  samples.legal_begin.push_back(static_cast<std::int32_t>(samples.legal.size()));
  samples.value.push_back(0);
  samples.result.push_back(-1);
  samples.rating.push_back(1234);
  samples.pieces.push_back(32);
}

TEST_CASE("origins, targets and legal ranks of a fromto head") {
  const nets::Graph graph = graph_with("  - {kind: fromto}\n");
  Samples samples;
  add_row(samples, {64 * 1 + 2, 64 * 3 + 4, 64 * 5 + 6});
  add_row(samples, {64 * 1 + 2, 64 * 3 + 4, 64 * 5 + 6});
  std::vector<float> answer(2 * 128, 0.0F);
  answer[1] = 5;        // row 0: the right origin
  answer[64 + 7] = 3;   // a target that no legal move has
  answer[64 + 2] = 2;   // 1-2: 7, the best
  answer[128 + 3] = 4;  // row 1: another origin, so that 3-4 is better
  answer[128 + 64 + 2] = 2;
  MetricsMeter meter(graph);
  meter.add(samples, {answer});
  const Metrics metrics = meter.metrics();
  CHECK(metrics.rows == 2);
  CHECK(metrics.from == Share{1, 2});
  CHECK(metrics.to == Share{1, 2});
  CHECK(metrics.move == Share{0, 2});
  CHECK(metrics.legal1 == Share{1, 2});
  CHECK(metrics.legal3 == Share{2, 2});
  CHECK(metrics.legal1_by_phase.at("opening") == Share{1, 2});
  CHECK(metrics.legal1_by_rating.at("1200-1399") == Share{1, 2});
  const double first = -std::log(std::exp(7.0) / (std::exp(7.0) + 2));
  const double second = -std::log(std::exp(2.0) / (std::exp(2.0) + std::exp(4.0) + 1));
  CHECK(metrics.policy_loss == doctest::Approx((first + second) / 2));
}

TEST_CASE("a network that says the same of all moves does not know the first") {
  const nets::Graph graph = graph_with("  - {kind: fromto}\n");
  Samples samples;
  add_row(samples, {10, 20, 30, 40, 50, 60, 70});
  std::rotate(samples.legal.begin(), samples.legal.begin() + 3, samples.legal.end());
  MetricsMeter meter(graph);
  meter.add(samples, {std::vector<float>(128, 1.0F)});
  CHECK(meter.metrics().legal1.hits == 0);
  CHECK(meter.metrics().legal3.hits == 0);
  CHECK(meter.metrics().legal5.hits == 1);
}

TEST_CASE("promotions by a head of their own") {
  const nets::Graph graph =
      graph_with("  - {kind: move4096, channels: 2}\n  - {kind: promotion4}\n");
  Samples samples;
  add_row(samples, {64 * 48 + 56, 1});
  add_row(samples, {64 * 48 + 56, 1}, 3);
  add_row(samples, {64 * 48 + 56, 1}, 0);
  std::vector<float> moves(3 * 4096, 0.0F);
  MetricsMeter meter(graph);
  meter.add(samples, {moves, {9, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0}});
  CHECK(meter.metrics().promotion == Share{1, 2});
}

TEST_CASE("values by a value head, or by win and loss") {
  const nets::Graph graph = graph_with("  - {kind: value, channels: 2}\n");
  Samples samples;
  samples.size = 4;
  samples.value = {1, -1, 0, 0};
  samples.result = {0, 2, 1, -1};
  MetricsMeter meter(graph);
  meter.add(samples, {{0.5F, -0.5F, 0.0F, 0.9F}});
  CHECK(meter.metrics().value_mse == doctest::Approx((0.25 + 0.25) / 3));
  CHECK(meter.metrics().value_correlation == doctest::Approx(1));

  const nets::Graph wdl = graph_with("  - {kind: result, channels: 2}\n");
  MetricsMeter results(wdl);
  results.add(samples, {{3, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0}});
  CHECK(results.metrics().result == Share{2, 3});
  const double sure = (std::exp(3.0) - 1) / (std::exp(3.0) + 2);
  CHECK(results.metrics().value_mse ==
        doctest::Approx(((1 - sure) * (1 - sure) * 2 + sure * sure) / 3));
}

// The slow twin: sorts all legal moves, and adds up nothing on the way.
Metrics slow_metrics(const Samples& samples, const Answers& answers, std::size_t width) {
  Metrics metrics;
  for (std::size_t row = 0; row < samples.size; ++row) {
    const float* const answer = answers[0].data() + row * width;
    std::vector<std::pair<float, int>> ranks;
    for (int i = samples.legal_begin[row]; i < samples.legal_begin[row + 1]; ++i) {
      const auto at = static_cast<std::size_t>(i);
      ranks.emplace_back(-answer[samples.legal[at]], samples.legal[at]);
    }
    std::ranges::sort(ranks);
    std::size_t rank = 0;
    while (ranks[rank].second != samples.move[row]) ++rank;
    metrics.legal1.add(rank == 0);
    metrics.legal3.add(rank < 3);
    metrics.legal5.add(rank < 5);
    const std::size_t best =
        static_cast<std::size_t>(std::max_element(answer, answer + width) - answer);
    metrics.move.add(static_cast<int>(best) == samples.move[row]);
    metrics.from.add(static_cast<int>(best / 64) == samples.move[row] / 64);
    metrics.to.add(static_cast<int>(best % 64) == samples.move[row] % 64);
    double sum = 0;
    for (const auto& [score, place] : ranks) sum += std::exp(-static_cast<double>(score));
    metrics.policy_loss += std::log(sum) - static_cast<double>(answer[samples.move[row]]);
  }
  metrics.policy_loss /= static_cast<double>(samples.size);
  return metrics;
}

TEST_CASE("the slow twin counts the same, and so do two meters that are added up") {
  const nets::Graph graph = graph_with("  - {kind: move4096, channels: 2}\n");
  Rng rng(3);
  Samples samples;
  Answers answers(1);
  for (int row = 0; row < 300; ++row) {
    std::set<std::int32_t> legal;
    while (legal.size() < 1 + rng.below(40)) legal.insert(static_cast<int>(rng.below(4096)));
    std::vector<std::int32_t> places(legal.begin(), legal.end());
    std::swap(places[0], places[rng.below(places.size())]);
    add_row(samples, places);
    for (int i = 0; i < 4096; ++i) answers[0].push_back(static_cast<float>(rng.uniform() * 8 - 4));
    // Sometimes it knows the move.
    if (rng.below(3) == 0)
      answers[0][answers[0].size() - 4096 + static_cast<std::size_t>(places[0])] = 5;
  }
  const Metrics expected = slow_metrics(samples, answers, 4096);
  MetricsMeter meter(graph), twice(graph);
  meter.add(samples, answers);
  const auto same = [&](const Metrics& metrics) {
    CHECK(metrics.legal1 == expected.legal1);
    CHECK(metrics.legal3 == expected.legal3);
    CHECK(metrics.legal5 == expected.legal5);
    CHECK(metrics.from == expected.from);
    CHECK(metrics.to == expected.to);
    CHECK(metrics.move == expected.move);
    CHECK(metrics.policy_loss == doctest::Approx(expected.policy_loss));
  };
  same(meter.metrics());
  for (std::size_t i = 0; i < meter.sums().size(); ++i) twice.sums()[i] = meter.sums()[i] * 2;
  CHECK(twice.metrics().rows == 600);
  CHECK(twice.metrics().legal1.value() == expected.legal1.value());
  CHECK(twice.metrics().policy_loss == doctest::Approx(expected.policy_loss));
}

TEST_CASE("figures without rows have no names") {
  Metrics metrics;
  CHECK(as_numbers(metrics).empty());
  metrics.legal1 = {1, 4};
  REQUIRE(as_numbers(metrics).size() == 2);
  CHECK(as_numbers(metrics)[0] == std::pair<std::string, double>("legal1", 0.25));
  CHECK(metrics.legal1.error() == doctest::Approx(std::sqrt(0.25 * 0.75 / 4)));
  CHECK(phase_name(32) == "opening");
  CHECK(phase_name(26) == "middlegame");
  CHECK(phase_name(12) == "endgame");
}

}  // namespace
}  // namespace aleph::train
