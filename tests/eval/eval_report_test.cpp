#include "eval/eval_report.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "nnue/golden.h"
#include "nnue/test_networks.h"
#include "support/shared_data.h"

namespace aleph::eval {
namespace {

using chess::Position;

std::unique_ptr<NnueEvaluator> evaluator_15_1() {
  auto network = test::test_network_or_skip(test::kNet15_1);
  if (!network) return nullptr;
  return std::make_unique<NnueEvaluator>(
      NnueModels{std::make_shared<const nnue::Model>(std::move(network)), nullptr});
}

std::string line_that_starts(const std::string& text, const std::string& start) {
  const std::size_t at = text.find("\n" + start);
  if (at == std::string::npos) return "";
  return text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

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

// Positions of random games that a person could meet: no checks, both sides can move.
std::vector<Position> random_positions(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Position> positions;
  while (positions.size() < count) {
    Position position;
    const std::uint64_t plies = 1 + rng.below(120);
    for (std::uint64_t ply = 0; ply < plies; ++ply) {
      const auto moves = chess::legal_moves(position);
      if (moves.empty()) break;
      position.make(moves[rng.below(moves.size())]);
    }
    if (position.in_check() || !chess::has_legal_move(position)) continue;
    positions.push_back(test::position_of(chess::to_fen(position)));
  }
  return positions;
}

// What Stockfish prints for "eval", one text per position.
std::vector<std::string> stockfish_reports(const std::string& program,
                                           const std::vector<Position>& positions) {
  const test::TemporaryFolder folder;
  std::string commands;
  for (const Position& position : positions)
    commands += "position fen " + chess::to_fen(position) + "\neval\n";
  const auto input = folder.write("commands", commands + "quit\n");
  const auto output = folder.path() / "output";
  const std::string call = program + " < " + input.string() + " > " + output.string();
  REQUIRE(std::system(call.c_str()) == 0);
  std::ifstream in(output);
  std::vector<std::string> reports(1);
  for (std::string line; std::getline(in, line);) {
    reports.back() += "\n" + line;
    if (line.starts_with("Final evaluation")) reports.emplace_back("\n");
  }
  reports.pop_back();
  return reports;
}

TEST_SUITE("golden") {
  TEST_CASE("1,000 random positions get what Debian's Stockfish 15.1 prints") {
    const std::string stockfish = "/usr/games/stockfish";
    if (!std::filesystem::exists(stockfish)) {
      fmt::print("skipped: comparison with stockfish: it is not installed\n");
      return;
    }
    const auto evaluator = evaluator_15_1();
    if (!evaluator) return;
    const std::vector<Position> positions = random_positions(1000, 2024);
    const std::vector<std::string> reports = stockfish_reports(stockfish, positions);
    REQUIRE(reports.size() == positions.size());
    if (reports[0].find("nn-ad9b42354671") == std::string::npos) {
      fmt::print("skipped: comparison with stockfish: it is not 15.1\n");
      return;
    }
    int finals = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::string fen = chess::to_fen(positions[i]);
      const EvalReport report = make_report(*evaluator, positions[i]);
      const std::string text = format_report(report);
      CHECK_MESSAGE(line_that_starts(text, "NNUE e") == line_that_starts(reports[i], "NNUE e"),
                    fen);
      if (report.parts.classical_in_stockfish) continue;
      ++finals;
      CHECK_MESSAGE(line_that_starts(text, "Final") == line_that_starts(reports[i], "Final"), fen);
      // The whole table of buckets and the board of piece values, too.
      const auto board = [](const std::string& whole) {
        const std::size_t from = whole.find(" NNUE derived");
        return whole.substr(from, whole.find("\n\n", whole.find(" NNUE network")) - from);
      };
      CHECK_MESSAGE(board(text) == board(reports[i]), fen);
    }
    MESSAGE("1000 NNUE lines, ", finals, " final lines compared: Stockfish uses its classical ",
            "evaluation for the other ", 1000 - finals);
  }
}

}  // namespace
}  // namespace aleph::eval
