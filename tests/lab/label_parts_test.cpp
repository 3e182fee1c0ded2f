// The parts of labelling that need no engine.
#include <doctest/doctest.h>

#include <algorithm>

#include "chess/packed_position.h"
#include "lab/label/positions.h"
#include "lab/label/score_trail.h"
#include "lab/label_bench.h"
#include "lab/segments/score_rows.h"

using namespace aleph;
using namespace aleph::lab;
using aleph::test::LabelBench;

TEST_CASE("of what an engine says, the last exact score of each depth counts") {
  ScoreTrail trail;
  CHECK(trail.empty());
  trail.add("info depth 2 score cp 10 pv e2e4");
  trail.add("info depth 3 score cp 99 lowerbound pv e2e4");
  trail.add("info depth 3 score cp 20 pv e2e4 e7e5");
  trail.add("info depth 3 score cp 21 pv d2d4 d7d5");
  trail.add("info depth 3 multipv 2 score cp 5 pv c2c4");
  trail.add("info depth 4 currmove e2e4");
  trail.add("info depth 7 score mate 3 pv d2d4");
  CHECK(trail.at_depth(1).value == 10);  // before the first one told
  CHECK(trail.at_depth(2).value == 10);
  CHECK(trail.at_depth(3).value == 21);
  CHECK(trail.at_depth(6).value == 21);
  CHECK(trail.at_depth(20) == UciScore{true, 3, UciScore::Bound::Exact});
  CHECK(trail.last_depth() == 7);
  REQUIRE(trail.lines().size() == 2);
  CHECK(trail.lines()[1]->move == "c2c4");
}

TEST_CASE("mates lie beyond all evaluations") {
  const auto number = [](bool mate, int value) {
    return score_number({mate, value, UciScore::Bound::Exact});
  };
  CHECK(number(false, -123) == -123);
  CHECK(number(false, 1'000'000) == 30'000);
  CHECK(number(true, 3) == 31'997);
  CHECK(number(true, -3) == -31'997);
  CHECK(number(true, 0) == -32'000);
  CHECK(number(true, 5000) == 31'000);
}

TEST_CASE("positions are read from text, with the result of their game") {
  const LabelBench bench;
  const PositionList list = bench.positions(
      "# two positions\n"
      "4k3/8/8/8/8/8/P7/4K3 w - - c9 \"1-0\";\n"
      "4k3/8/8/8/8/8/P7/4K3 b - - 12 40\n"
      "4k3/8/8/8/8/8/P7 b - - 12 40\n"
      "4k3/8/8/8/8/8/P7/4K3 b - - c9 \"1-0\"; id \"x\";\n");
  REQUIRE(list.size() == 3);
  CHECK(list.outcome(0) == 1);
  CHECK(!list.outcome(1));
  CHECK(list.outcome(2) == -1);
  CHECK(chess::unpack(list.positions[1]).value().halfmove_clock() == 12);
  CHECK(list.game_ids == std::vector<std::int64_t>{2, 3, 5});
  CHECK(list.refused == 1);
  REQUIRE(list.problems.size() == 1);
  CHECK(list.problems[0].starts_with("line 4: "));
  CHECK(!read_positions(bench.folder.write("empty", "# nothing\n").string()).ok());
}

TEST_CASE("a draw keeps the order and depends on the seed") {
  const LabelBench bench;
  const PositionList all = bench.pawns();
  PositionList a = all, b = all, c = all, more = all;
  draw_positions(a, 10, 1);
  draw_positions(b, 10, 1);
  draw_positions(c, 10, 2);
  draw_positions(more, 100, 1);
  CHECK(a.size() == 10);
  CHECK(a.outcomes.size() == 10);
  CHECK(a.game_ids.size() == 10);
  CHECK(a.positions == b.positions);
  CHECK(a.positions != c.positions);
  CHECK(more.size() == all.size());
  auto place = all.positions.begin();
  for (const auto& position : a.positions) {
    place = std::find(place, all.positions.end(), position);
    REQUIRE(place != all.positions.end());
    ++place;
  }
}
