// Labels by dense networks: made-up ones, and Maia-1500 where it is.
#include "lab/label/dense_labeller.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "data/dataset/validate.h"
#include "engine/policy_choice.h"
#include "eval/network_evaluator.h"
#include "eval/wdl.h"
#include "lab/dataset_rows.h"
#include "lab/label/label_run.h"
#include "lab/label_bench.h"
#include "nets/graph/build.h"
#include "nets/weights/net_safetensors.h"
#include "nets/weights/random_weights.h"
#include "search/random_positions.h"

using namespace aleph;
using namespace aleph::lab;
using aleph::test::LabelBench;
using aleph::test::rows_in;
using aleph::test::same_rows;
using aleph::test::scores_of;
using Numbers = aleph::data::FixedNumbers;

namespace {

constexpr const char* kMated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
constexpr const char* kThreeMoves = "7k/8/8/8/8/8/8/K7 w - - 0 1";

nets::NetFile small_network(std::uint64_t seed, const std::vector<nets::HeadKind>& heads) {
  nets::NetSpec spec;
  spec.name = "small";
  spec.input.kind = nets::InputKind::Planes16;
  spec.trunk = nets::ResnetSpec{.channels = 16, .blocks = 1};
  for (const nets::HeadKind kind : heads) {
    nets::HeadSpec head;
    head.kind = kind;
    head.channels = 4;
    spec.heads.push_back(head);
  }
  const auto graph = nets::build_graph(spec);
  if (!graph.ok()) FAIL(graph.error());
  Rng rng(seed);
  return {spec, {}, nets::random_weights(graph.value(), rng)};
}

const std::vector kBoth{nets::HeadKind::Move4096, nets::HeadKind::Wdl};

// A folder with a network in it, and settings to label with that.
struct DenseBench : LabelBench {
  explicit DenseBench(const std::vector<nets::HeadKind>& heads = kBoth) {
    settings.depths.clear();
    settings.segment = 50;
    settings.network = write(small_network(1, heads), "small.safetensors");
  }
  std::string write(const nets::NetFile& network, const char* name) const {
    const std::filesystem::path file = folder.path() / name;
    REQUIRE(nets::write_network(file, network).ok());
    return file.string();
  }
};

// With some of them twice, and the end of a game among them.
PositionList random_positions(int count) {
  PositionList list;
  const auto add = [&](const chess::Position& position) {
    list.add(chess::pack(position), PositionList::kUnknown, static_cast<std::int64_t>(list.size()));
  };
  add(chess::parse_fen(kMated).take());
  test::visit_random_positions(11, count - 3, add);
  add(chess::parse_fen(kThreeMoves).take());
  add(chess::parse_fen(kThreeMoves).take());
  return list;
}

chess::Position without_clocks(const chess::PackedPosition& packed) {
  const chess::Position position = chess::unpack(packed).take();
  chess::Setup setup = position.setup();
  setup.halfmove_clock = 0, setup.fullmove_number = 1;
  chess::Position without = chess::Position::from(setup).take();
  without.set_chess960(position.is_chess960());
  return without;
}

struct PolicyColumns {
  explicit PolicyColumns(const data::Table& rows)
      : moves(rows.values<Numbers>("policy_moves")),
        probabilities(rows.values<Numbers>("policy_probabilities")) {
    REQUIRE((moves != nullptr && probabilities != nullptr));
    REQUIRE(moves->width == probabilities->width);
  }
  const Numbers *moves, *probabilities;
};

// One position by itself, without the labeller.
void check_row(eval::NetworkEvaluator& evaluator, const data::Table& rows, std::size_t row,
               const chess::Position& position) {
  INFO(chess::to_fen(position));
  const PolicyColumns policy(rows);
  const std::size_t top = policy.moves->width;
  const chess::MoveList moves = legal_moves(position);
  CHECK(rows.find("move")->is_missing(row) == moves.empty());
  if (moves.empty()) {
    CHECK(scores_of(rows, row) == std::vector{position.in_check() ? -32'000 : 0});
    for (std::size_t i = 0; i < top; ++i) CHECK(policy.moves->numbers[row * top + i] == 0);
    return;
  }
  const eval::Leaf leaf{&position, {moves.begin(), moves.end()}, {}};
  eval::LeafResult result;
  evaluator.evaluate({&leaf, 1}, {&result, 1});
  const int expected =
      eval::wdl_model(eval::StockfishVersion::V19)
          .centipawns_of_value(double{result.value}, eval::GamePhase::of(position));
  CHECK(std::abs(scores_of(rows, row)[0] - expected) <= 1);
  int before = 10'000, sum = 0;
  for (std::size_t i = 0; i < top; ++i) {
    const int bits = policy.moves->numbers[row * top + i];
    const int probability = policy.probabilities->numbers[row * top + i];
    CHECK((bits == 0) == (i >= moves.size()));
    CHECK(probability <= before);
    before = probability;
    sum += probability;
    const auto move = std::ranges::find(moves, bits, [](chess::Move m) { return m.bits(); });
    if (bits == 0) continue;
    REQUIRE(move != moves.end());
    const auto place = static_cast<std::size_t>(move - moves.begin());
    CHECK(std::abs(probability - 10'000 * double{result.priors[place]}) <= 1);
    if (i == 0) CHECK((*rows.values<std::vector<std::int32_t>>("move"))[row] == bits);
  }
  CHECK(sum <= 10'000 + static_cast<int>(top));
}

void compare_with_evaluator(DenseBench& bench, int count) {
  const PositionList list = random_positions(count);
  const LabelReport report = bench.label(list, "one");
  CHECK(report.rows == list.size());
  CHECK(report.repeated == 0);
  bench.settings.processes = 3;
  bench.label(list, "three");
  const data::Table rows = rows_in(bench.out("one"));
  CHECK(same_rows(rows, rows_in(bench.out("three"))));
  CHECK(bench.label(list, "three").was_complete);
  const auto valid = data::validate(test::dataset_in(bench.out("one")), {});
  REQUIRE(valid.ok());
  CHECK(valid.value().bad_rows == 0);

  auto chosen = engine::load_policy_network(bench.settings.network);
  REQUIRE(chosen.ok());
  auto evaluator = eval::NetworkEvaluator::make(chosen.value().network).take();
  REQUIRE(rows.rows() == list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    check_row(evaluator, rows, i, without_clocks(list.positions[i]));
}

}  // namespace

TEST_CASE("a dense network's labels are what its evaluator says, however many threads work") {
  DenseBench bench;
  bench.settings.top = 4;
  compare_with_evaluator(bench, 300);
}

TEST_CASE("labels by Maia-1500 are what its evaluator says") {
  const auto shared = test::shared_data_or_skip("labels by Maia-1500");
  if (!shared || !std::filesystem::exists(*shared / "nets/lc0/maia-1500.pb.gz")) return;
  DenseBench bench;
  bench.settings.network = (*shared / "nets/lc0/maia-1500.pb.gz").string();
  bench.settings.top = 5;
  compare_with_evaluator(bench, 120);
}

TEST_CASE("without --top there are scores and moves only, and a value alone has no moves") {
  DenseBench bench;
  bench.label(random_positions(10));
  const data::Table rows = rows_in(bench.out());
  CHECK(rows.find("policy_moves") == nullptr);
  CHECK(rows.find("policy_probabilities") == nullptr);
  CHECK_FALSE(rows.find("move")->is_missing(9));

  DenseBench mute({nets::HeadKind::Value});
  mute.label(random_positions(10));
  const data::Table values = rows_in(mute.out());
  for (std::size_t i = 0; i < values.rows(); ++i) CHECK(values.find("move")->is_missing(i));
}

TEST_CASE("labelling by a dense network goes on where it was stopped, but not with another") {
  DenseBench bench;
  bench.settings.top = 3;
  const PositionList list = random_positions(230);
  bench.label(list, "whole");
  const auto stopped = bench.run(list, "parts", [&](std::uint64_t done, std::uint64_t all) {
    CHECK(all == 230);
    if (done == 120) bench.interrupt.raise();
  });
  REQUIRE(stopped.ok());
  CHECK(stopped.value().stopped);
  CHECK(stopped.value().rows == 100);

  const std::string name = bench.settings.network;
  const auto refused = [&] {
    const auto report = bench.run(list, "parts");
    REQUIRE(!report.ok());
    return report.error();
  };
  const std::string other = " holds a dataset that was made with other settings: ";
  bench.settings.network = bench.write(small_network(2, kBoth), "other.safetensors");
  CHECK(refused() == bench.out("parts").string() + other + "network");
  bench.settings.network = name;
  bench.settings.top = 2;
  CHECK(refused() == bench.out("parts").string() + other + "top");

  // The same network in another file is the same.
  bench.settings.network = bench.write(small_network(1, kBoth), "copy.safetensors");
  bench.settings.top = 3;
  bench.settings.processes = 2;
  const Interrupt fresh;
  Alone alone;
  const auto rest = label_positions(list, bench.settings, bench.out("parts"), alone, fresh, {});
  if (!rest.ok()) FAIL(rest.error());
  CHECK(rest.value().rows == 230);
  CHECK(same_rows(rows_in(bench.out("whole")), rows_in(bench.out("parts"))));
}

TEST_CASE("networks that cannot give the labels are refused with a sentence") {
  DenseBench policy({nets::HeadKind::Move4096}), value({nets::HeadKind::Value});
  const PositionList list = policy.pawns();
  const auto error_of = [&](DenseBench& bench) {
    const auto report = bench.run(list);
    REQUIRE(!report.ok());
    CHECK(report.error().find('\n') == std::string::npos);
    CHECK(!std::filesystem::exists(bench.out()));
    return report.error();
  };
  CHECK(error_of(policy) ==
        policy.settings.network + ": the network tells no value, and a label needs one");
  value.settings.top = 1;
  CHECK(error_of(value) == value.settings.network +
                               ": the network tells nothing about moves, and --top asks for them");
  value.settings.network = value.folder.write("cut.safetensors", "none").string();
  CHECK(error_of(value).starts_with(value.settings.network + ": "));
  value.settings.network = "no-such-network";
  CHECK(error_of(value) == "'no-such-network' is no dense network, and --top asks for its moves");
}
