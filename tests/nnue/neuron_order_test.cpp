#include "nnue/neuron_order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "base/rng.h"
#include "chess/movegen.h"
#include "nnue/evaluator.h"
#include "nnue/golden.h"
#include "nnue/made_up_network.h"
#include "nnue/test_networks.h"
#include "nnue/weights_writer.h"

namespace aleph::nnue {
namespace {

std::vector<chess::Position> sample_positions() {
  std::vector<chess::Position> positions;
  for (const char* const fen :
       {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"}) {
    const chess::Position root = test::position_of(fen);
    chess::MoveList moves;
    chess::generate_all(root, moves);
    for (const chess::Move move : moves) {
      positions.push_back(root);
      positions.back().make(move);
    }
  }
  return positions;
}

// What an evaluator says about all positions, and the features it saw.
struct Answers {
  std::vector<AllBuckets> outputs;
  std::vector<std::vector<std::uint8_t>> features;
  friend bool operator==(const Answers&, const Answers&) = default;
};
Answers ask(const std::shared_ptr<const Network>& network) {
  Evaluator evaluator(std::make_shared<const Model>(network));
  Answers answers;
  for (const chess::Position& position : sample_positions()) {
    answers.outputs.push_back(evaluator.evaluate_all_buckets(position));
    const auto features = evaluator.transformed(position);
    answers.features.emplace_back(features.begin(), features.end());
  }
  return answers;
}

NeuronOrder as_in_file(std::size_t pairs) {
  NeuronOrder order(pairs);
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  return order;
}

NeuronOrder shuffled(std::size_t pairs) {
  NeuronOrder order = as_in_file(pairs);
  Rng rng(3);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return order;
}

TEST_CASE("no order of the neurons changes an answer") {
  for (const Architecture& architecture : known_architectures()) {
    CAPTURE(std::string(architecture.name));
    const auto before = ask(test::made_up_network(architecture, 5, 20));
    const auto network =
        std::const_pointer_cast<Network>(test::made_up_network(architecture, 5, 20));
    reorder(*network, shuffled(static_cast<std::size_t>(architecture.width) / 2));
    CHECK(ask(network) == before);
  }
}

TEST_CASE("neurons that fire together are laid together") {
  // Sixteen pairs; those with equal remainders by four fire at the same time.
  Rng rng(7);
  std::vector<std::vector<std::uint8_t>> features;
  for (int row = 0; row < 200; ++row) {
    std::vector<std::uint8_t> bytes(32);
    for (std::size_t half = 0; half < 32; half += 16) {
      const std::size_t group = rng.below(4);
      for (std::size_t i = group; i < 16; i += 4) bytes[half + i] = 9;
    }
    features.push_back(bytes);
  }
  const NeuronOrder order = order_by_company(features);
  NeuronOrder sorted = order;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == as_in_file(16));
  CHECK(blocks_in_use(features, as_in_file(16)) == doctest::Approx(8));
  CHECK(blocks_in_use(features, order) == doctest::Approx(2));
}

TEST_CASE("a real network is arranged only where that saves work") {
  for (const std::string& name : test::all_test_networks()) {
    const auto network = test::test_network_or_skip(name);
    if (!network) continue;
    CAPTURE(name);
    const Answers before = ask(network);
    auto read = read_network(write_network(*network));
    REQUIRE(read.ok());
    const auto copy = std::make_shared<Network>(read.take());
    arrange_neurons(*copy, sample_positions());
    CHECK(ask(copy) == before);
    if (network->architecture.width == 1024 && !network->architecture.pawn_pairs &&
        network->architecture.threats == ThreatKind::None)
      CHECK(!copy->neuron_order.empty());
  }
}

}  // namespace
}  // namespace aleph::nnue
