#include "lab/uci_info.h"

#include <doctest/doctest.h>

using namespace aleph::lab;

TEST_CASE("an info line is taken apart") {
  std::string_view pv;
  const UciInfo info = parse_uci_info(
      "info depth 12 seldepth 17 multipv 1 score cp -35 lowerbound wdl 1 2 3 nodes 12345 nps "
      "600000 "
      "hashfull 3 tbhits 0 time 20 pv e2e4 e7e5 ",
      &pv);
  CHECK(info.depth == 12);
  CHECK(info.selective_depth == 17);
  REQUIRE(info.score);
  CHECK(*info.score == UciScore{false, -35, UciScore::Bound::Lower});
  CHECK(info.nodes == 12345);
  CHECK(info.nodes_per_second == 600000);
  CHECK(info.milliseconds == 20);
  CHECK(pv == "e2e4 e7e5");
}

TEST_CASE("what makes no sense is passed over") {
  std::string_view pv = "untouched";
  const UciInfo info = parse_uci_info("info depth x score cp depth 5 nodes -3 score mate -4", &pv);
  CHECK(info.depth == 5);
  CHECK(!info.nodes);
  REQUIRE(info.score);
  CHECK(*info.score == UciScore{true, -4, UciScore::Bound::Exact});
  CHECK(pv == "untouched");
  CHECK(!parse_uci_info("info string depth 7 score cp 3").depth);
  CHECK(!parse_uci_info("info").score);
}

TEST_CASE("of several lines the latest counts, and of several variations the first") {
  UciInfo sum;
  sum.update(parse_uci_info("info depth 8 score cp 10 nodes 100"));
  sum.update(parse_uci_info("info depth 9 multipv 2 score cp -50 nodes 200"));
  sum.update(parse_uci_info("info currmove e2e4 depth 10"));
  sum.update(parse_uci_info("info nodes 300 nps 5"));
  CHECK(sum.depth == 8);
  CHECK(sum.score->value == 10);
  CHECK(sum.nodes == 300);
  CHECK(sum.nodes_per_second == 5);
}

TEST_CASE("mates are worth more than any evaluation, quicker ones most") {
  const auto value = [](bool mate, int number) {
    return UciScore{mate, number, UciScore::Bound::Exact}.as_centipawns();
  };
  CHECK(value(true, 1) > value(true, 30));
  CHECK(value(true, 500) > value(false, 2'000'000'000));
  CHECK(value(true, -1) < value(true, -30));
  CHECK(value(true, -500) < value(false, -2'000'000'000));
  CHECK(value(true, 0) < value(true, -1));
  CHECK(value(false, 123) == 123);
}
