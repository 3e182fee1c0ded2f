// Networks on their way into files, and the engine's integers against the trainer's floats.
#include "train/nnue/nnue_export.h"

#include <doctest/doctest.h>

#include <cmath>

#include "nnue/architecture_hash.h"
#include "nnue/evaluator.h"
#include "nnue/reference.h"
#include "nnue/test_networks.h"
#include "nnue/weights.h"
#include "nnue/weights_writer.h"
#include "train/nnue/nnue_baseline.h"
#include "train/slow_nnue.h"

using namespace aleph;
using namespace aleph::train;

namespace {

std::vector<SampledPosition> sample(int count) {
  std::vector<SampledPosition> positions;
  test::visit_random_positions(31, count, [&](const chess::Position& position) {
    positions.push_back({nnue::Placement::of(position.board()), position.side_to_move()});
  });
  return positions;
}

std::shared_ptr<const nnue::Model> packed(nnue::Network network) {
  return std::make_shared<const nnue::Model>(
      std::make_shared<const nnue::Network>(std::move(network)));
}

int units(nnue::Evaluator& evaluator, std::string_view fen) {
  const nnue::RawOutput raw = evaluator.evaluate(test::position_of(fen));
  return (raw.psqt + raw.positional) / 16;
}

}  // namespace

TEST_CASE("a trained network is a file that readers accept as the lite network's kind") {
  const nnue::Network network = quantised(NnueModel::random(256, 5), "of a test");
  const auto bytes = nnue::write_network(network);
  const auto read = nnue::read_network(bytes);
  REQUIRE(read.ok());
  CHECK(read.value().architecture.name == "lite 256");
  CHECK(read.value().architecture.version_word == 0x7AF32F20);
  CHECK(nnue::file_hash(read.value().architecture) == 0x1C103EB2);
  CHECK(read.value().sha256 == network.sha256);
  CHECK(bytes.size() <= 12'000'000);
  CHECK(trained_architecture(512).width == 512);
}

TEST_CASE("a model that comes back from its file is the same up to rounding, and then stays") {
  NnueModel model = test::lively_model(64, 8);
  const nnue::Network network = quantised(model, "one");
  auto back = model_of(network);
  REQUIRE(back.ok());
  NnueModel rounded = back.take();
  const auto arrays = model.arrays(), again = rounded.arrays();
  for (std::size_t a = 0; a < arrays.size(); ++a)
    for (std::size_t i = 0; i < arrays[a].size(); ++i)
      REQUIRE(std::abs(arrays[a][i] - again[a][i]) <= 0.0079F);
  CHECK(nnue::write_network(quantised(rounded, "one")) == nnue::write_network(network));
}

TEST_CASE("the engine's integers follow the trainer's floats") {
  NnueModel model = NnueModel::random(256, 6);
  NnueStep step(model, {}, 1);
  const auto positions = sample(300);
  const RoundingReport report = compare_rounding(step, quantised(model, ""), positions);
  CHECK(report.positions == positions.size());
  CHECK(report.mean < 40);
  CHECK(report.worst < 120);
  const RoundingReport better =
      compare_rounding(step, calibrated(step, quantised(model, ""), positions), positions);
  CHECK(better.mean < report.mean);
  CHECK(std::abs(better.bias) < 3);
}

TEST_CASE("Stockfish's lite network means the same to the trainer as to the engine") {
  const auto network = test::test_network_or_skip(test::kNetLite18);
  if (network == nullptr) return;
  auto model = model_of(*network);
  REQUIRE(model.ok());
  NnueModel floats = model.take();
  NnueStep step(floats, {}, 1);
  nnue::Network copy = quantised(floats, network->description);
  CHECK(copy.sha256 == network->sha256);
  const RoundingReport report = compare_rounding(step, std::move(copy), sample(1000));
  CHECK(report.mean < 3);
  CHECK(report.worst < 60);
  CHECK(std::abs(report.bias) < 1);
}

TEST_CASE("networks of other kinds cannot be trained, and that is said") {
  const auto network = test::test_network_or_skip(test::kNetLite19);
  if (network == nullptr) return;
  const auto model = model_of(*network);
  REQUIRE_FALSE(model.ok());
  CHECK(model.error() == "a network of the architecture lite P_hm cannot be trained");
}

TEST_CASE("the baseline counts material and knows good squares, the same for both sides") {
  nnue::Evaluator baseline(packed(material_and_squares_network()));
  CHECK(units(baseline, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") == 0);
  const int rook = units(baseline, "4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1");
  CHECK(rook > 1200);
  CHECK(rook < 1500);
  CHECK(units(baseline, "4k3/pppp4/8/8/8/8/PPPP4/R3K3 b - - 0 1") == -rook);
  CHECK(units(baseline, "r3k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 0 1") == rook);
  const char* const kCorner = "4k3/8/8/8/8/8/8/N3K3 w - - 0 1";
  const char* const kCentre = "4k3/8/8/3N4/8/8/8/4K3 w - - 0 1";
  CHECK(units(baseline, kCentre) > units(baseline, kCorner) + 50);
}
