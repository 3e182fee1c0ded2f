// Whole runs of labelling, with an engine that is a shell script.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "data/dataset/validate.h"
#include "lab/dataset_rows.h"
#include "lab/label/label_run.h"
#include "lab/label_bench.h"

using namespace aleph;
using namespace aleph::lab;
using namespace std::chrono_literals;
using aleph::test::kPawns;
using aleph::test::LabelBench;
using aleph::test::pawn_fen;
using aleph::test::rows_in;
using aleph::test::same_rows;
using aleph::test::scores_of;
using Numbers = aleph::data::FixedNumbers;

TEST_CASE("labels come in the order of the positions, however many engines work") {
  LabelBench bench;
  const PositionList list = bench.pawns();
  const LabelReport report = bench.label(list, "one");
  CHECK(report.source == "Script");
  CHECK(report.rows == kPawns);
  CHECK(report.skipped == 0);
  bench.settings.processes = 3;
  bench.label(list, "three");
  const data::Table rows = rows_in(bench.out("one"));
  CHECK(same_rows(rows, rows_in(bench.out("three"))));
  REQUIRE(rows.rows() == kPawns);
  const auto* const packed = rows.values<data::FixedBytes>("position");
  REQUIRE(packed != nullptr);
  CHECK(std::equal(packed->bytes.begin(), packed->bytes.end(),
                   reinterpret_cast<const std::uint8_t*>(list.positions.data())));
  std::set<int> different;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::vector<int> scores = scores_of(rows, row);
    different.insert(scores[0]);
    CHECK(scores == std::vector{scores[0], scores[0], -scores[0], -scores[0]});
  }
  CHECK(different.size() > 20);
  const auto valid = data::validate(test::dataset_in(bench.out("one")), {});
  REQUIRE(valid.ok());
  CHECK(valid.value().bad_rows == 0);
  // Again, there is nothing to do; with other settings it is another dataset.
  const std::size_t questions = bench.asked().size();
  CHECK(bench.label(list, "three").was_complete);
  CHECK(bench.asked().size() == questions);
  bench.settings.depths = {1, 2};
  const auto refused = bench.run(list, "three");
  REQUIRE(!refused.ok());
  CHECK(refused.error().find("other settings: go") != std::string::npos);
  // A dataset can be labelled as well as a text.
  const auto again = read_positions(bench.out("one").string());
  REQUIRE(again.ok());
  CHECK(again.value().positions == list.positions);
  CHECK(again.value().game_ids == list.game_ids);
}

TEST_CASE("equal positions are asked about once, whatever their clocks") {
  LabelBench bench;
  std::string text;
  for (int i = 0; i < 20; ++i) text += pawn_fen(i % 10, i < 10 ? "0 1" : "7 30") + "\n";
  const PositionList list = bench.positions(text);
  bench.settings.processes = 2;
  const LabelReport report = bench.label(list);
  CHECK(report.rows == 20);
  CHECK(report.repeated == 10);
  CHECK(bench.asked().size() == 10);
  const data::Table rows = rows_in(bench.out());
  for (std::size_t i = 0; i < 10; ++i) CHECK(scores_of(rows, i) == scores_of(rows, i + 10));
  bench.settings.keep_clocks = true;
  CHECK(bench.label(list, "clocks").repeated == 0);
  CHECK(bench.asked().size() == 30);
}

TEST_CASE("the best lines and the end of a game") {
  LabelBench bench;
  bench.settings.lines = 3;
  bench.settings.depths.clear();
  bench.settings.nodes = 1000;
  const PositionList list = bench.positions(pawn_fen(0) + "\n7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\n");
  bench.label(list);
  const data::Table rows = rows_in(bench.out());
  REQUIRE(rows.rows() == 2);
  const auto* const moves = rows.values<Numbers>("line_moves");
  const auto* const scores = rows.values<Numbers>("line_scores");
  REQUIRE(moves != nullptr);
  REQUIRE(scores != nullptr);
  CHECK(moves->numbers[0] == (*rows.values<std::vector<std::int32_t>>("move"))[0]);
  CHECK(moves->numbers[1] != 0);
  CHECK(scores->numbers[1] == -31'997);
  CHECK(moves->numbers[2] == 0);
  CHECK(scores_of(rows, 1) == std::vector{-32'000});
  CHECK(rows.find("move")->is_missing(1));
  CHECK(rows.values<Numbers>("depths")->numbers[0] == 4);
}

TEST_CASE("work that was stopped goes on without a lost or doubled row") {
  LabelBench bench;
  const PositionList list = bench.pawns();
  bench.label(list, "whole");
  const auto stopped = bench.run(list, "parts", [&](std::uint64_t done, std::uint64_t all) {
    CHECK(all == kPawns);
    if (done == 20) bench.interrupt.raise();
  });
  REQUIRE(stopped.ok());
  CHECK(stopped.value().stopped);
  CHECK(stopped.value().rows == 18);
  CHECK(!data::Dataset::open(bench.out("parts")).ok());
  // A segment whose record was not written is done again, and so is one that lost its rows.
  CHECK(std::filesystem::remove(bench.out("parts") / "segments" / "00000.json"));
  CHECK(std::filesystem::remove(bench.out("parts") / "train-00001.parquet"));
  const Interrupt fresh;
  Alone alone;
  bench.settings.processes = 3;
  const auto rest = label_positions(list, bench.settings, bench.out("parts"), alone, fresh, {});
  REQUIRE(rest.ok());
  CHECK(rest.value().rows == kPawns);
  CHECK(same_rows(rows_in(bench.out("whole")), rows_in(bench.out("parts"))));
}

TEST_CASE("an engine that dies at a position is tried three times") {
  // "P7" is a pawn on the a-file: five of the forty.
  LabelBench bench("case \"$fen\" in *P7*) exit 3 ;; esac");
  const LabelReport report = bench.label(bench.pawns());
  CHECK(report.positions == kPawns);
  CHECK(report.skipped == 5);
  CHECK(report.rows == kPawns - 5);
  REQUIRE(report.problems.size() == 5);
  CHECK(report.problems[0] == pawn_fen(0) + ": exited with code 3");
  CHECK(std::ranges::count(bench.asked(), "position fen " + pawn_fen(0)) == 3);
  CHECK(rows_in(bench.out()).rows() == kPawns - 5);
}

TEST_CASE("an engine that dies or hangs once loses nothing") {
  const std::string once = "if [ ! -e \"$1.once\" ]; then : > \"$1.once\"; ";
  LabelBench dies(once + "exit 3; fi"), hangs(once + "sleep 1000; fi");
  hangs.settings.patience = 3s;
  hangs.settings.timeouts.stop = 100ms;
  for (LabelBench* const bench : {&dies, &hangs}) {
    const LabelReport report = bench->label(bench->pawns());
    CHECK(report.skipped == 0);
    CHECK(report.rows == kPawns);
    CHECK(bench->asked().size() >= kPawns + 1);
  }
}

TEST_CASE("an engine that cannot do its work does not skip everything") {
  LabelBench bench("exit 3");
  const auto report = bench.run(bench.pawns());
  REQUIRE(!report.ok());
  CHECK(report.error() ==
        "engine 'script' failed at 10 positions in a row; the last time: exited with code 3");
  LabelBench missing;
  missing.settings.engine.command.words = {"/nonexistent/engine"};
  CHECK(!missing.run(missing.pawns()).ok());
}
