#include "search/alpha_beta/parallel_search.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/rng.h"
#include "chess/legality.h"
#include "chess/movegen.h"
#include "search/test_search.h"

namespace aleph::search {
namespace {

using namespace std::chrono_literals;
using chess::Move;
using chess::Position;
using eval::Score;
using test::move_of;
using test::position_of;
using test::Recorder;
using test::TestSearch;
using test::to_depth;
using test::to_nodes;

const std::vector<Position>& some_positions() {
  static const std::vector<Position> positions{
      Position(),
      position_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
      position_of("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
      position_of("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10"),
  };
  return positions;
}

// A report says nothing that cannot be played.
void check_report(const Progress& report, const Position& root) {
  Position position = root;
  bool legal = true;
  for (const Move move : report.line) {
    legal = legal && is_legal(position, move);
    if (!legal) break;
    position.make(move);
  }
  CHECK(legal);
  CHECK((report.depth >= 1 && report.selective_depth >= 1));
  CHECK((report.permille_full >= 0 && report.permille_full <= 1000));
}

void check_answer(const Recorder& recorder, const Position& root) {
  CHECK(recorder.finished() == 1);
  const Answer answer = recorder.answer();
  REQUIRE(is_legal(root, answer.best));
  Position after = root;
  after.make(answer.best);
  if (answer.ponder) CHECK(is_legal(after, answer.ponder));
  REQUIRE(!recorder.last().line.empty());
  CHECK(recorder.last().line.front() == answer.best);
}

TEST_CASE("a search reports deeper and deeper lines that can be played, and answers once") {
  TestSearch search;
  for (const Position& root : some_positions()) {
    Recorder recorder;
    search.run(root, to_depth(8), recorder);
    check_answer(recorder, root);
    int depth = 0;
    std::uint64_t nodes = 0;
    for (const Progress& report : recorder.reports()) {
      check_report(report, root);
      CHECK(report.depth >= depth);
      CHECK(report.nodes >= nodes);
      CHECK(report.line_number == 1);
      depth = report.depth;
      nodes = report.nodes;
    }
    CHECK(depth == 8);
    CHECK(nodes == search.searcher().nodes());
  }
}

TEST_CASE("equal searches count equal nodes, in one search object and in another") {
  TestSearch first, second;
  for (const Position& root : some_positions()) {
    const std::uint64_t nodes = first.count_nodes(root, to_depth(9));
    CHECK(nodes > 100);
    CHECK(first.count_nodes(root, to_depth(9)) == nodes);
    CHECK(second.count_nodes(root, to_depth(9)) == nodes);
  }
}

TEST_CASE("two searches at once give what each gives alone") {
  TestSearch a, b;
  const Position &left = some_positions()[1], &right = some_positions()[3];
  Recorder left_alone, right_alone, left_beside, right_beside;
  a.run(left, to_depth(9), left_alone);
  const std::uint64_t left_nodes = a.searcher().nodes();
  b.run(right, to_depth(9), right_alone);
  const std::uint64_t right_nodes = b.searcher().nodes();
  a.forget();
  b.forget();
  a.start(left, to_depth(9), left_beside);
  b.start(right, to_depth(9), right_beside);
  a.searcher().wait();
  b.searcher().wait();
  CHECK(a.searcher().nodes() == left_nodes);
  CHECK(b.searcher().nodes() == right_nodes);
  CHECK(left_beside.answer().best == left_alone.answer().best);
  CHECK(right_beside.answer().best == right_alone.answer().best);
  CHECK(left_beside.last().score == left_alone.last().score);
  CHECK(right_beside.last().line == right_alone.last().line);
}

TEST_CASE("with one thread a limit of nodes is never exceeded, and used up") {
  TestSearch search;
  Rng rng(5);
  std::vector<std::uint64_t> limits{1, 2, 3, 10, 511, 512, 513, 1000, 40'000};
  for (int i = 0; i < 60; ++i) limits.push_back(1 + rng.below(4000));
  for (const Position& root : some_positions())
    for (const std::uint64_t limit : limits) {
      Recorder recorder;
      search.run(root, to_nodes(limit), recorder);
      CHECK(search.searcher().nodes() == limit);
      check_answer(recorder, root);
    }
}

TEST_CASE("only the moves asked for are searched") {
  TestSearch search;
  const Position root;
  for (const std::string text : {"a2a3", "g1h3", "e2e4"}) {
    Limits limits = to_depth(5);
    limits.only_moves = {move_of(text, root)};
    Recorder recorder;
    search.run(root, limits, recorder, 3);
    CHECK(recorder.answer().best == limits.only_moves[0]);
    for (const Progress& report : recorder.reports()) CHECK(report.line[0] == limits.only_moves[0]);
  }
  Limits two = to_depth(5);
  two.only_moves = {move_of("a2a3", root), move_of("h2h3", root)};
  Recorder recorder;
  search.run(root, two, recorder, 5);
  std::set<std::uint16_t> seen;
  for (const Progress& report : recorder.reports()) seen.insert(report.line[0].bits());
  CHECK(seen.size() == 2);
}

TEST_CASE("the best lines begin with different moves, the better first") {
  TestSearch search;
  for (const Position& root : some_positions()) {
    const int lines = std::min(5, chess::count_legal_moves(root));
    Recorder recorder;
    search.run(root, to_depth(7), recorder, 5);
    check_answer(recorder, root);
    const auto reports = recorder.reports();
    // The last report repeats the best line; the lines of the last iteration are before it.
    REQUIRE(reports.size() > static_cast<std::size_t>(lines));
    std::set<std::uint16_t> first_moves;
    Score last = Score::infinite();
    for (int i = 0; i < lines; ++i) {
      const Progress& report = reports[reports.size() - 1 - static_cast<std::size_t>(lines) +
                                       static_cast<std::size_t>(i)];
      CHECK(report.depth == 7);
      CHECK(report.line_number == i + 1);
      CHECK(report.score <= last);
      last = report.score;
      first_moves.insert(report.line[0].bits());
      check_report(report, root);
    }
    CHECK(first_moves.size() == static_cast<std::size_t>(lines));
  }
}

TEST_CASE("more lines than there are moves are as many as there are moves") {
  TestSearch search;
  const Position root = position_of("7k/8/8/8/8/8/r7/7K w - - 0 1");
  REQUIRE(chess::count_legal_moves(root) == 1);
  Recorder recorder;
  search.run(root, to_depth(4), recorder, 200);
  check_answer(recorder, root);
  for (const Progress& report : recorder.reports()) CHECK(report.line_number == 1);
}

TEST_CASE("without legal moves the answer is none, and the score mate or a draw") {
  TestSearch search;
  const Position mated = position_of("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
  const Position stalemated = position_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
  for (const Position& root : {mated, stalemated}) {
    Recorder recorder;
    search.run(root, to_depth(5), recorder);
    CHECK(recorder.finished() == 1);
    CHECK(recorder.answer().best == Move());
    CHECK(recorder.answer().ponder == Move());
    CHECK(recorder.last().score == (root.in_check() ? Score::mated_in(0) : Score::draw()));
    CHECK(recorder.last().line.empty());
  }
}

TEST_CASE("a search that is stopped at any moment answers once, with a legal move") {
  TestSearch search;
  Rng rng(9);
  for (int round = 0; round < 100; ++round) {
    const Position& root = some_positions()[rng.below(some_positions().size())];
    const auto pause = std::chrono::microseconds(rng.below(round % 4 == 0 ? 50 : 5000));
    Limits limits;
    limits.infinite = true;
    Recorder recorder;
    search.start(root, limits, recorder);
    std::thread other([&] {
      std::this_thread::sleep_for(pause);
      search.searcher().stop();
    });
    search.searcher().wait();
    other.join();
    check_answer(recorder, root);
  }
}

TEST_CASE("stopping before, after and twice does no harm") {
  TestSearch search;
  search.searcher().stop();
  search.searcher().wait();
  Recorder first;
  search.start(Position(), to_depth(3), first);
  search.searcher().wait();
  CHECK(first.last().depth == 3);  // the stop before it was not meant for this search
  search.searcher().stop();
  search.searcher().stop();
  search.searcher().wait();
  CHECK(first.finished() == 1);
}

TEST_CASE("in analysis the answer waits for the command, even when all is known") {
  TestSearch search;
  const Position mated = position_of("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
  for (const Position& root : {Position(), mated}) {
    Limits limits = to_depth(1);
    limits.infinite = true;
    Recorder recorder;
    search.start(root, limits, recorder);
    recorder.wait_for_report();
    std::this_thread::sleep_for(20ms);
    CHECK(recorder.finished() == 0);
    search.searcher().stop();
    search.searcher().wait();
    CHECK(recorder.finished() == 1);
  }
}

TEST_CASE("while pondering the answer waits for ponderhit, and then comes") {
  TestSearch search;
  const Position root;
  const auto check = [&](Limits limits) {
    limits.ponder = true;
    Recorder recorder;
    search.start(root, limits, recorder);
    recorder.wait_for_report();
    std::this_thread::sleep_for(30ms);
    CHECK(recorder.finished() == 0);
    search.searcher().ponder_hit();
    search.searcher().wait();
    check_answer(recorder, root);
  };
  SUBCASE("a depth that is reached before") { check(to_depth(2)); }
  SUBCASE("a clock that has run out before") {
    Limits limits;
    limits.clock = GameClock{Milliseconds(60), Milliseconds(0), std::nullopt};
    check(limits);
  }
  SUBCASE("a clock that has time left") {
    Limits limits;
    limits.clock = GameClock{Milliseconds(2000), Milliseconds(0), std::nullopt};
    check(limits);
  }
  SUBCASE("a time per move") {
    Limits limits;
    limits.move_time = Milliseconds(60);
    check(limits);
  }
}

TEST_CASE("pondering ends with stop too") {
  TestSearch search;
  Limits limits;
  limits.ponder = true;
  limits.clock = GameClock{Milliseconds(10), Milliseconds(0), std::nullopt};
  Recorder recorder;
  search.start(Position(), limits, recorder);
  std::this_thread::sleep_for(30ms);
  CHECK(recorder.finished() == 0);
  search.searcher().stop();
  search.searcher().wait();
  check_answer(recorder, Position());
}

TEST_CASE("a time per move and a clock end the search in time") {
  TestSearch search;
  const auto measure = [&](Limits limits) {
    Recorder recorder;
    const auto start = Clock::now();
    limits.start = start;
    search.start(some_positions()[1], limits, recorder);
    search.searcher().wait();
    check_answer(recorder, some_positions()[1]);
    return std::chrono::duration_cast<Milliseconds>(Clock::now() - start).count();
  };
  // The upper limits are generous: other programs may have the processor.
  Limits per_move;
  per_move.move_time = Milliseconds(60);
  per_move.overhead = Milliseconds(10);
  const auto taken = measure(per_move);
  CHECK(taken >= 50);
  CHECK(taken < 1500);
  Limits clock;
  clock.clock = GameClock{Milliseconds(500), Milliseconds(0), std::nullopt};
  CHECK(measure(clock) < 1500);
  clock.clock = GameClock{Milliseconds(1), Milliseconds(0), std::nullopt};
  CHECK(measure(clock) < 1000);
}

TEST_CASE("two threads search together and answer as one") {
  TestSearch search(2);
  CHECK(search.searcher().threads() == 2);
  for (const Position& root : some_positions()) {
    Recorder recorder;
    search.run(root, to_depth(8), recorder);
    check_answer(recorder, root);
    for (const Progress& report : recorder.reports()) check_report(report, root);
    Recorder by_nodes;
    search.run(root, to_nodes(20'000), by_nodes);
    check_answer(by_nodes, root);
    CHECK(search.searcher().nodes() >= 20'000);
    CHECK(search.searcher().nodes() < 40'000);
  }
  Rng rng(3);
  for (int round = 0; round < 30; ++round) {
    Limits limits;
    limits.infinite = true;
    Recorder recorder;
    search.start(some_positions()[rng.below(4)], limits, recorder);
    std::this_thread::sleep_for(std::chrono::microseconds(rng.below(3000)));
    search.searcher().stop();
    search.searcher().wait();
    CHECK(recorder.finished() == 1);
  }
}

TEST_CASE("a search object may go while it searches") {
  Recorder recorder;
  {
    TestSearch search(2);
    Limits limits;
    limits.infinite = true;
    search.start(Position(), limits, recorder);
  }
  CHECK(recorder.finished() == 1);
}

TEST_CASE("what was searched before makes the next search shorter, and forgetting undoes that") {
  TestSearch search;
  const Position& root = some_positions()[3];
  const std::uint64_t fresh = search.count_nodes(root, to_depth(9));
  Recorder again;
  search.start(root, to_depth(9), again);
  search.searcher().wait();
  CHECK(search.searcher().nodes() < fresh);
  CHECK(search.count_nodes(root, to_depth(9)) == fresh);
}

TEST_CASE("the smallest table is enough to search") {
  TestSearch search(1, 1);
  Recorder recorder;
  search.run(some_positions()[1], to_nodes(60'000), recorder);
  check_answer(recorder, some_positions()[1]);
}

}  // namespace
}  // namespace aleph::search
