// Mates at the root: proven on the side, kept once known, and only ever made shorter.
#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <string_view>

#include "search/alpha_beta/params.h"
#include "search/mate_solver.h"
#include "search/test_search.h"

namespace aleph::search {
namespace {

using chess::Position;
using eval::Score;
using test::position_of;
using test::Recorder;
using test::TestSearch;
using test::to_depth;
using test::to_nodes;

constexpr std::array<std::string_view, 3> kWon{
    "8/8/8/3k4/8/8/8/KQR5 w - - 0 1",
    "8/8/8/2k5/8/8/3R4/1R2K3 w - - 0 1",
    "k7/8/8/8/8/1q6/4r3/6K1 b - - 0 1",
};

bool leads_to_mate(Position position, const Progress& progress) {
  for (const chess::Move move : progress.line) position.make(move);
  return test::is_checkmate(position);
}

TEST_CASE("a mate once reported is never lost, and has its line") {
  TestSearch search;
  for (const std::string_view fen : kWon) {
    CAPTURE(fen);
    const Position root = position_of(fen);
    Recorder recorder;
    search.run(root, to_nodes(60'000), recorder);
    std::optional<Score> known;
    for (const Progress& report : recorder.reports()) {
      if (report.bound != Bound::Exact) continue;
      if (known) CHECK(report.score >= *known);
      if (!report.score.is_mate()) continue;
      known = report.score;
      CHECK(static_cast<int>(report.line.size()) == report.score.plies_to_end());
      CHECK(leads_to_mate(root, report));
    }
    CHECK(known);
  }
}

// A queen is given for a quiet move, which the search prunes: to it, White is a pawn behind.
TEST_CASE("a mate is found where no score announces it") {
  TestSearch search;
  const Position root = position_of("r3r1k1/pp1q1pp1/4b1p1/3p2B1/3Q1R2/8/PPP3PP/4R1K1 w - - 0 1");
  Recorder recorder;
  search.run(root, to_nodes(400'000), recorder);
  REQUIRE(recorder.last().score.is_mate());
  CHECK(recorder.last().score.plies_to_end() == 7);
  CHECK(recorder.answer().best == test::move_of("d4g7", root));
  bool announced = false;
  for (const Progress& report : recorder.reports())
    announced |= !report.score.is_mate() && report.score.units() >= SearchParams{}.prover_score;
  CHECK_FALSE(announced);
}

TEST_CASE("what the prover plays counts as nodes, and obeys their limit") {
  TestSearch search;
  for (const std::uint64_t nodes : {1'000u, 3'333u, 10'000u})
    for (const std::string_view fen : kWon)
      CHECK(search.count_nodes(position_of(fen), to_nodes(nodes)) <= nodes);
}

TEST_CASE("with several lines, or a choice of moves, nothing is proven on the side") {
  TestSearch search;
  const Position root = position_of("6k1/5ppp/8/8/8/8/8/R3Q1K1 w - - 0 1");
  Limits limits = to_depth(6);
  limits.only_moves = {test::move_of("g1f1", root)};
  Recorder recorder;
  search.run(root, limits, recorder);
  CHECK(recorder.answer().best == limits.only_moves[0]);
  Recorder several;
  search.run(root, to_depth(6), several, 3);
  CHECK(several.last().score.is_mate());
}

}  // namespace
}  // namespace aleph::search
