#include "search/alpha_beta/doubt.h"

#include <doctest/doctest.h>

#include <array>
#include <set>

#include "search/quantile_network.h"
#include "search/test_search.h"

namespace aleph::search {
namespace {

using chess::Position;
using test::position_of;
using test::Recorder;
using test::to_depth;

// Searches to the end with an evaluation that is unsure by so many units.
struct UnsureSearch {
  explicit UnsureSearch(int units, int threads = 1)
      : searcher((table.resize(4), table), test::quantile_models(units), threads) {}

  std::uint64_t run(const Position& position, const Limits& limits, Recorder& recorder) {
    table.clear();
    searcher.forget();
    searcher.start(position, limits, {}, recorder);
    searcher.wait();
    return searcher.nodes();
  }

  TranspositionTable table;
  QuantileSearch searcher;
};

const Position& middlegame() {
  static const Position position =
      position_of("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10");
  return position;
}

TEST_CASE("the layers of the test are as unsure as it says") {
  for (const int units : {0, 10, 90, 400, 2000}) {
    eval::QuantileEvaluator evaluator(test::quantile_models(units));
    const eval::Quantiles quantiles = evaluator.quantiles(Position());
    const int rounding = 3;
    CHECK(std::abs(quantiles.q50 - quantiles.q10 - units) <= rounding);
    CHECK(std::abs(quantiles.q90 - quantiles.q50 - units) <= rounding);
  }
}

TEST_CASE("doubt changes the search, and the same doubt gives the same search") {
  std::set<std::uint64_t> counts;
  for (const int units : {0, 150, 400}) {
    UnsureSearch search(units);
    Recorder first, second;
    const std::uint64_t nodes = search.run(middlegame(), to_depth(8), first);
    CHECK(search.run(middlegame(), to_depth(8), second) == nodes);
    CHECK(first.answer().best == second.answer().best);
    counts.insert(nodes);
  }
  CHECK(counts.size() == 3);
}

// In one position, or near the root, chance decides; over several, and deep enough, margins and
// reductions do. However sure, an evaluation counts as half as unsure as usual, so the two are not
// worlds apart.
TEST_CASE("a search that is unsure looks at more") {
  constexpr std::array kFens{
      "r1bqk2r/pppp1ppp/1bn4n/4P1N1/2B5/2Pp4/P4PPP/RNBQ1R1K b kq - 0 1",
      "r2q2k1/1p1bb1pp/2n1p3/P2p1nP1/3P4/P7/3Q1P1P/RNBB1RK1 b - - 0 1",
      "r3k2r/pp1b1pbp/1q1p1n2/2pP1p2/2P1p3/2N1P2N/PPQ1BPPP/R3K2R w KQkq - 0 1",
      "r3r1k1/pb3pp1/1pnqpn1p/2pp4/3P4/2PBPN2/PP1NQPPP/3RR1K1 w - - 0 1",
      "r1bq1rk1/1p2bpp1/p2p1nn1/2pPp2p/2P1P2P/2N1BPP1/PP1Q1N2/R3KB1R b KQ - 0 1",
      "r1b2rk1/p1q2ppp/4p3/2PpP3/1p1Q1P2/2N5/P1P3PP/R4RK1 w - - 0 1",
      "1r3rk1/1q1bppbp/p2p1np1/2pP4/2B2B1N/1P1QP2P/P4PP1/2R2RK1 b - - 0 1",
      "r1bq1rk1/ppppppbp/2n2np1/8/2PP4/2N2NP1/PP2PPBP/R1BQK2R b KQ - 0 1",
  };
  Recorder recorder;
  UnsureSearch sure(20), unsure(900);
  std::uint64_t few = 0, many = 0;
  for (const char* const fen : kFens) {
    few += sure.run(position_of(fen), to_depth(12), recorder);
    many += unsure.run(position_of(fen), to_depth(12), recorder);
  }
  CHECK(6 * few < 5 * many);
}

TEST_CASE("mates are found whatever the doubt") {
  for (const int units : {0, 90, 3000}) {
    UnsureSearch search(units);
    Recorder recorder;
    search.run(position_of("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), to_depth(4), recorder);
    CHECK(recorder.last().score == eval::Score::mate_in(1));
    CHECK(recorder.finished() == 1);
  }
}

TEST_CASE("the quantiles of the root are reported, with the first line, but not in check") {
  UnsureSearch search(90, 2);
  Recorder recorder;
  search.run(middlegame(), to_depth(5), recorder);
  for (const Progress& progress : recorder.reports()) {
    REQUIRE(progress.quantiles.has_value());
    CHECK(progress.quantiles->q10 < progress.quantiles->q90);
  }
  Recorder in_check;
  search.run(position_of("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"), to_depth(3), in_check);
  for (const Progress& progress : in_check.reports()) CHECK(!progress.quantiles);

  test::TestSearch plain;
  Recorder without;
  plain.run(middlegame(), to_depth(3), without);
  for (const Progress& progress : without.reports()) CHECK(!progress.quantiles);
}

}  // namespace
}  // namespace aleph::search
