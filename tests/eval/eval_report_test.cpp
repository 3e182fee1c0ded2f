#include "eval/eval_report.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "chess/fen.h"
#include "eval/stockfish_reports.h"
#include "nnue/golden.h"

namespace aleph::eval {
namespace {

using chess::Position;
using test::evaluator_15_1, test::line_that_starts;

TEST_CASE("the report shows the board, the buckets and the last lines of Stockfish 15.1") {
  const auto evaluator = evaluator_15_1();
  if (!evaluator) return;
  const Position position =
      test::position_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
  const std::string text = format_report(make_report(*evaluator, position));
  CHECK(text.find("|   r   |       |       |       |   k   |       |       |   r   |\n"
                  "| -3.90 |       |       |       |       |       |       | -3.68 |\n") !=
        std::string::npos);
  CHECK(text.find("| -0.44 | +0.77 | +0.40 | +2.79 | +2.56 | +0.22 | +0.22 | -0.19 |\n") !=
        std::string::npos);
  CHECK(line_that_starts(text, "|  0") == "|  0         |  +  0.16   |  -  2.34   |  -  2.17   |");
  CHECK(line_that_starts(text, "|  7") ==
        "|  7         |  -  0.14   |  -  1.02   |  -  1.17   | <-- this bucket is used");
  CHECK(line_that_starts(text, "NNUE") == "NNUE evaluation        -1.17 (white side)");
  CHECK(line_that_starts(text, "Final") ==
        "Final evaluation       -1.51 (white side) [with scaled NNUE, hybrid, ...]");
}

TEST_CASE("in check there is no final evaluation") {
  const auto evaluator = evaluator_15_1();
  if (!evaluator) return;
  const Position position = test::position_of("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
  const std::string text = format_report(make_report(*evaluator, position));
  CHECK(line_that_starts(text, "Final") == "Final evaluation       none (in check)");
}

TEST_CASE("where Stockfish leaves the network aside, so does the report, but not the search") {
  const auto evaluator = evaluator_15_1();
  if (!evaluator) return;
  const Position position = test::position_of("4k3/pppp4/8/8/8/8/4PPPP/QR2K2R w K - 40 30");
  const EvalReport report = make_report(*evaluator, position);
  REQUIRE(report.parts.classical_in_stockfish);
  REQUIRE(report.classical.has_value());
  CHECK(report.value == report.classical->value * (195 - 40) / 211);
  CHECK(report.value != report.parts.value);
  CHECK(evaluator->evaluate(position).units() == report.parts.value);
  const std::string text = format_report(report);
  CHECK(text.find("Aleph's search keeps to the network") != std::string::npos);
}

TEST_SUITE("golden") {
  TEST_CASE("1,000 random positions get what Debian's Stockfish 15.1 prints") {
    const auto evaluator = evaluator_15_1();
    if (!evaluator) return;
    const std::vector<Position> positions = test::random_game_positions(1000, 2024);
    const auto reports = test::stockfish_reports(positions);
    if (!reports) return;
    int classical = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::string fen = chess::to_fen(positions[i]);
      const EvalReport report = make_report(*evaluator, positions[i]);
      const std::string text = "\n" + format_report(report);
      const std::string& expected = (*reports)[i];
      for (const char* start : {"Classical e", "NNUE e", "Final"})
        CHECK_MESSAGE(line_that_starts(text, start) == line_that_starts(expected, start), fen);
      // The tables of terms and buckets and the board of piece values, too.
      const auto tables = [](const std::string& whole) {
        const std::size_t from = whole.find(" Contributing terms");
        return whole.substr(from, whole.find("\n\n", whole.find(" NNUE network")) - from);
      };
      CHECK_MESSAGE(tables(text) == tables(expected), fen);
      if (report.parts.classical_in_stockfish) ++classical;
    }
    MESSAGE("1000 reports compared, ", classical, " of them with a classical final value");
  }
}

}  // namespace
}  // namespace aleph::eval
