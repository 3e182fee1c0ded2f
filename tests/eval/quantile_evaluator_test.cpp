#include "eval/quantile_evaluator.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "chess/movegen.h"
#include "eval/eval_report.h"
#include "nnue/made_up_quantiles.h"
#include "nnue/neuron_order.h"
#include "search/random_positions.h"

namespace aleph::eval {
namespace {

using chess::Color;
using chess::Position;

const nnue::Architecture& architecture(std::string_view name) {
  for (const nnue::Architecture& a : nnue::known_architectures())
    if (a.name == name) return a;
  FAIL("there is no architecture ", std::string(name));
  return nnue::known_architectures().front();
}

std::shared_ptr<const nnue::Model> model_of(std::shared_ptr<const nnue::Network> network) {
  return std::make_shared<const nnue::Model>(std::move(network));
}

// Small weights, so that values are of a sensible size.
QuantileModels made_up_models(std::string_view name) {
  const auto main = model_of(test::made_up_network(architecture(name), 3, 20));
  auto layers = test::made_up_quantiles(main->architecture().width, 4, 8, 2'000);
  auto ready = quantiles_for(*main, std::make_shared<const nnue::QuantileNetwork>(layers));
  REQUIRE(ready.ok());
  return {{main, nullptr}, ready.take()};
}

bool never_crosses(const Quantiles& q) {
  return q.q10 <= q.q25 && q.q25 <= q.q50 && q.q50 <= q.q75 && q.q75 <= q.q90;
}

TEST_CASE("the evaluation is the plain one, and quantiles do not cross") {
  const QuantileModels models = made_up_models("SFNNv8 small");
  QuantileEvaluator evaluator(models);
  NnueEvaluator plain(models.plain);
  test::visit_random_positions(11, 300, [&](const Position& position) {
    if (position.in_check()) return;
    const Quantiles first = evaluator.quantiles(position);
    CHECK(never_crosses(first));
    CHECK(evaluator.evaluate(position) == plain.evaluate(position));
    CHECK(evaluator.quantiles(position) == first);
    CHECK(evaluator.evaluate(position, Score::draw(), Score::draw()) ==
          plain.evaluate(position, Score::draw(), Score::draw()));
  });
}

TEST_CASE("quantiles are those of the reference where neither clock nor optimism moves them") {
  const QuantileModels models = made_up_models("SFNNv8 small");
  QuantileEvaluator evaluator(models);
  nnue::Evaluator network(models.plain.main);
  int seen = 0;
  test::visit_random_positions(12, 300, [&](const Position& position) {
    if (position.in_check() || position.halfmove_clock() != 0) return;
    ++seen;
    const int base = nnue::base_units(network.evaluate(position));
    const auto bytes = network.transformed(position);
    const int bucket = nnue::bucket_for(position.occupied().count());
    const nnue::QuantileNetwork& layers = models.quantiles->network();
    const auto logits = nnue::quantile_logits_slow(layers.stacks[static_cast<std::size_t>(bucket)],
                                                   layers.width, bytes.data());
    const Quantiles quantiles = evaluator.quantiles(position);
    CHECK(quantiles.q10 == Score::from_eval(nnue::quantile_units(base, logits[0])));
    CHECK(quantiles.q50 == Score::from_eval(nnue::quantile_units(base, logits[2])));
    CHECK(quantiles.q90 == Score::from_eval(nnue::quantile_units(base, logits[4])));
  });
  CHECK(seen > 20);
}

TEST_CASE("another order of the neurons changes nothing") {
  const QuantileModels models = made_up_models("SFNNv8 small");
  // It was made as one that can be changed, and nobody else has it.
  const auto network = std::const_pointer_cast<nnue::Network>(
      test::made_up_network(architecture("SFNNv8 small"), 3, 20));
  nnue::NeuronOrder order(static_cast<std::size_t>(network->architecture.width) / 2);
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<std::uint16_t>(order.size() - 1 - i);
  nnue::reorder(*network, order);
  const auto main = model_of(network);
  auto ready = quantiles_for(
      *main, std::make_shared<const nnue::QuantileNetwork>(models.quantiles->network()));
  REQUIRE(ready.ok());
  QuantileEvaluator in_order(models), reordered(QuantileModels{{main, nullptr}, ready.take()});
  test::visit_random_positions(13, 100, [&](const Position& position) {
    if (!position.in_check()) CHECK(in_order.quantiles(position) == reordered.quantiles(position));
  });
}

TEST_CASE("optimism and the clock move quantiles along with the evaluation") {
  const QuantileModels models = made_up_models("SFNNv8 small");
  QuantileEvaluator evaluator(models);
  const std::string board = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - ";
  const Position fresh = test::position_of(board + "0 10"),
                 late = test::position_of(board + "90 60");
  const Score value = evaluator.evaluate(fresh), late_value = evaluator.evaluate(late);
  const Quantiles before = evaluator.quantiles(fresh), damped = evaluator.quantiles(late);
  CHECK(std::abs((damped.q90 - late_value) - (before.q90 - value) * 110 / 200) <= 1);
  CHECK(std::abs((damped.q10 - late_value) - (before.q10 - value) * 110 / 200) <= 1);

  evaluator.set_optimism(Color::White, 100);
  const Score hopeful = evaluator.evaluate(fresh);
  CHECK(hopeful != value);
  const Quantiles after = evaluator.quantiles(fresh);
  CHECK(after.q10 - hopeful == before.q10 - value);
  CHECK(after.q90 - hopeful == before.q90 - value);
}

TEST_CASE("what is remembered is that of the last position, along any line") {
  const QuantileModels models = made_up_models("SFNNv8 small");
  QuantileEvaluator walking(models);
  Position position;
  Rng rng(8);
  for (int i = 0; i < 60; ++i) {
    QuantileEvaluator fresh(models);
    if (!position.in_check()) {
      if (i % 3 == 0) walking.evaluate(position);
      CHECK(walking.quantiles(position) == fresh.quantiles(position));
    }
    const chess::MoveList moves = legal_moves(position);
    if (moves.empty()) break;
    const chess::Move move = moves[rng.below(moves.size())];
    walking.push(position, move);
    position.make(move);
    if (i % 5 == 0 && !position.in_check()) walking.evaluate(position);
    if (i % 4 == 0) {  // take it back and play it again
      position.unmake();
      walking.pop();
      if (!position.in_check()) CHECK(walking.quantiles(position) == fresh.quantiles(position));
      walking.push(position, move);
      position.make(move);
    }
  }
}

TEST_CASE("layers of another network are refused by name") {
  const auto main = model_of(test::made_up_network(architecture("SFNNv8 small"), 3, 20));
  auto layers = test::made_up_quantiles(128, 4);
  layers.base_sha256 = std::string(64, 'e');
  layers.sha256 = std::string(64, 'f');
  const auto refused = quantiles_for(*main, std::make_shared<const nnue::QuantileNetwork>(layers));
  REQUIRE(!refused.ok());
  CHECK(refused.error() ==
        "qn-ffffffffffff.qnnue sits on nn-eeeeeeeeeeee.nnue, and the network in use is "
        "nn-000000000000.nnue");
}

TEST_CASE("a report draws the band, from White's view, but not in check") {
  const QuantileModels models = made_up_models("SFNNv8 small");
  const auto text_of = [&](const char* fen) {
    return format_report(make_report(models.plain, models.quantiles, test::position_of(fen)));
  };
  const std::string white = text_of("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1");
  const std::string black = text_of("4k3/4pppp/8/8/8/8/PPPP4/4K3 b - - 0 1");
  const std::size_t at = white.find("\nQuantiles              q10 ");
  REQUIRE(at != std::string::npos);
  CHECK(white.find("] +", at) != std::string::npos);
  CHECK(black.find("\nQuantiles              q10 ") != std::string::npos);
  CHECK(text_of("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").find("Quantiles") == std::string::npos);
  CHECK(format_report(make_report(models.plain, nullptr, Position())).find("Quantiles") ==
        std::string::npos);
}

}  // namespace
}  // namespace aleph::eval
