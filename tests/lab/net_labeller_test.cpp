// Labels by networks of ours: made-up ones, and the one of Stockfish 15.1 where it is.
#include "lab/label/net_labeller.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "chess/fen.h"
#include "data/dataset/validate.h"
#include "eval/eval_report.h"
#include "lab/dataset_rows.h"
#include "lab/label/label_run.h"
#include "lab/label_bench.h"
#include "nnue/made_up_network.h"
#include "nnue/test_networks.h"
#include "nnue/weights_writer.h"
#include "search/random_positions.h"

using namespace aleph;
using namespace aleph::lab;
using aleph::test::LabelBench;
using aleph::test::rows_in;
using aleph::test::same_rows;
using aleph::test::scores_of;

namespace {

constexpr const char* kMated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
constexpr const char* kStalemated = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
constexpr const char* kInCheck = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
constexpr const char* kQueenAhead = "4k3/pppppppp/8/8/8/8/PPPPPPPP/3QK3 w - - 0 1";

// Of the smallest architecture that is read from files.
std::shared_ptr<const nnue::Network> small_network(std::uint64_t seed) {
  const auto known = nnue::known_architectures();
  const auto smallest = std::ranges::min_element(known, {}, &nnue::Architecture::width);
  return test::made_up_network(*smallest, seed, 20);
}

// A folder with a network in it, and settings to label with that.
struct NetBench : LabelBench {
  explicit NetBench(const nnue::Network& network) {
    settings.depths.clear();
    settings.segment = 50;
    settings.network = write(network, "one.nnue");
  }
  explicit NetBench(std::uint64_t seed = 1) : NetBench(*small_network(seed)) {}

  std::string write(const nnue::Network& network, std::string_view name) const {
    const std::vector<std::byte> bytes = nnue::write_network(network);
    return folder.write(name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}).string();
  }
};

PositionList random_positions(int count) {
  PositionList list;
  const auto add = [&](const chess::Position& position) {
    list.add(chess::pack(position), PositionList::kUnknown, static_cast<std::int64_t>(list.size()));
  };
  for (const char* const fen : {kInCheck, kQueenAhead}) add(chess::parse_fen(fen).take());
  test::visit_random_positions(11, count, add);
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

// The number that "aleph eval" prints, read as a person would.
int printed_centipawns(eval::NnueEvaluator& evaluator, const chess::Position& position) {
  const eval::EvalReport report = eval::make_report(evaluator, position);
  const int units = report.in_check ? report.parts.value : report.value;
  return static_cast<int>(std::lround(100 * std::stod(eval::line_pawns(report, units))));
}

void compare_with_evaluator(const std::shared_ptr<const nnue::Network>& network, int count) {
  NetBench bench(*network);
  const PositionList list = random_positions(count);
  const LabelReport report = bench.label(list, "one");
  CHECK(report.source.starts_with("one.nnue from "));
  CHECK(report.rows == list.size());
  bench.settings.processes = 2;
  bench.label(list, "two");
  const data::Table rows = rows_in(bench.out("one"));
  CHECK(same_rows(rows, rows_in(bench.out("two"))));
  CHECK(bench.label(list, "two").was_complete);
  const auto valid = data::validate(test::dataset_in(bench.out("one")), {});
  REQUIRE(valid.ok());
  CHECK(valid.value().bad_rows == 0);

  eval::NnueEvaluator evaluator({std::make_shared<const nnue::Model>(network), nullptr});
  const auto* const depths = rows.values<data::FixedNumbers>("depths");
  REQUIRE(depths != nullptr);
  REQUIRE(rows.rows() == list.size());
  int in_check = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const chess::Position position = without_clocks(list.positions[i]);
    INFO(chess::to_fen(position));
    CHECK(scores_of(rows, i) == std::vector{printed_centipawns(evaluator, position)});
    CHECK(depths->numbers[i] == 0);
    CHECK(rows.find("move")->is_missing(i));
    in_check += position.in_check();
  }
  CHECK(in_check > 1);
}

}  // namespace

TEST_CASE("a network's labels are what its evaluator says, however many threads work") {
  compare_with_evaluator(small_network(1), 300);
}

TEST_CASE("labels by the network of Stockfish 15.1 are what aleph eval prints") {
  const auto network = test::test_network_or_skip(test::kNet15_1);
  if (network == nullptr) return;
  compare_with_evaluator(network, 500);
  // This is the case where its version turns to the classical evaluation.
  eval::NnueEvaluator evaluator({std::make_shared<const nnue::Model>(network), nullptr});
  const auto report = eval::make_report(evaluator, chess::parse_fen(kQueenAhead).take());
  CHECK(report.parts.classical_in_stockfish);
  CHECK(report.value != report.parts.value);
}

TEST_CASE("a network is not asked about the end of a game") {
  NetBench bench;
  bench.label(bench.positions(std::string(kMated) + "\n" + kStalemated + "\n"));
  const data::Table rows = rows_in(bench.out());
  REQUIRE(rows.rows() == 2);
  CHECK(scores_of(rows, 0) == std::vector{-32'000});
  CHECK(scores_of(rows, 1) == std::vector{0});
}

TEST_CASE("a network is asked once about equal positions, and sees clocks only if they count") {
  NetBench bench;
  std::string text;
  for (int i = 0; i < 20; ++i) text += test::pawn_fen(i % 10, i < 10 ? "0 1" : "60 90") + "\n";
  const PositionList list = bench.positions(text);
  CHECK(bench.label(list).repeated == 10);
  bench.settings.keep_clocks = true;
  CHECK(bench.label(list, "clocks").repeated == 0);
  const data::Table rows = rows_in(bench.out()), clocks = rows_in(bench.out("clocks"));
  int different = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(scores_of(rows, i) == scores_of(rows, i % 10));
    if (i < 10) CHECK(scores_of(clocks, i) == scores_of(rows, i));
    different += scores_of(clocks, i) != scores_of(rows, i);
  }
  CHECK(different > 5);
}

TEST_CASE("labelling by a network goes on where it was stopped, but not with another network") {
  NetBench bench;
  const PositionList list = random_positions(298);
  bench.label(list, "whole");
  const auto stopped = bench.run(list, "parts", [&](std::uint64_t done, std::uint64_t) {
    if (done == 120) bench.interrupt.raise();
  });
  REQUIRE(stopped.ok());
  CHECK(stopped.value().stopped);
  CHECK(stopped.value().rows == 100);

  const std::string name = bench.settings.network;
  bench.settings.network = bench.write(*small_network(2), "two.nnue");
  const auto refused = bench.run(list, "parts");
  REQUIRE(!refused.ok());
  CHECK(refused.error() == bench.out("parts").string() +
                               " holds a dataset that was made with other settings: network");

  // The same network under another name is the same.
  std::filesystem::rename(name, name + ".renamed.nnue");
  bench.settings.network = name + ".renamed.nnue";
  bench.settings.processes = 2;
  const Interrupt fresh;
  Alone alone;
  const auto rest = label_positions(list, bench.settings, bench.out("parts"), alone, fresh, {});
  REQUIRE(rest.ok());
  CHECK(rest.value().rows == 300);
  CHECK(same_rows(rows_in(bench.out("whole")), rows_in(bench.out("parts"))));
}

TEST_CASE("a network that cannot be read is refused with a sentence, and nothing is written") {
  NetBench bench;
  const PositionList list = bench.pawns();
  const auto error_of = [&](const std::string& network) {
    bench.settings.network = network;
    const auto report = bench.run(list);
    REQUIRE(!report.ok());
    CHECK(report.error().find('\n') == std::string::npos);
    CHECK(!std::filesystem::exists(bench.out()));
    return report.error();
  };
  const std::string whole = bench.settings.network;
  const std::string text = data::read_text(whole).take();
  const std::string cut = bench.folder.write("cut.nnue", text.substr(0, text.size() / 2)).string();
  CHECK(error_of(cut).starts_with(cut + ": "));
  const std::string other = bench.folder.write("other.nnue", "no network at all").string();
  CHECK(error_of(other).starts_with(other + ": "));
  CHECK(error_of("/nonexistent/one.nnue") == "there is no network file '/nonexistent/one.nnue'");
  CHECK(error_of("no-such-network").starts_with("network 'no-such-network.nnue' was not found in"));
}

TEST_CASE("plain labels are the network's own value, before any formula") {
  const auto network = small_network(3);
  NetBench bench(*network);
  bench.settings.plain = true;
  const PositionList list = random_positions(100);
  bench.label(list, "plain");
  const data::Table rows = rows_in(bench.out("plain"));
  nnue::Evaluator evaluator(std::make_shared<const nnue::Model>(network));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const nnue::RawOutput raw = evaluator.evaluate(without_clocks(list.positions[i]));
    const int expected = std::clamp((raw.psqt + raw.positional) / 16, -30'000, 30'000);
    CHECK(scores_of(rows, i) == std::vector{expected});
  }
  bench.settings.plain = false;  // another dataset, which is not mixed with it
  CHECK_FALSE(bench.run(list, "plain").ok());
}
