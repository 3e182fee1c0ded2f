#include "data/pgn_comment.h"

#include <doctest/doctest.h>

using namespace aleph::data;  // NOLINT: the subject of this file

namespace {

Evaluation centipawns(int value, int depth = 0) {
  return {false, static_cast<std::uint16_t>(depth), value};
}
Evaluation mate(int moves, int depth = 0) {
  return {true, static_cast<std::uint16_t>(depth), moves};
}

}  // namespace

TEST_CASE("clocks are read to the hundredth of a second") {
  CHECK(parse_clock("0:03:00") == 18'000);
  CHECK(parse_clock("1:02:03") == 372'300);
  CHECK(parse_clock("0:00:00.1") == 10);
  CHECK(parse_clock("0:00:00.123") == 12);
  CHECK(parse_clock("3:05") == 18'500);
  CHECK(parse_clock("59") == 5'900);
  CHECK(parse_clock("100:00:00") == 36'000'000);
  for (const char* const wrong :
       {"", ":", "1:", "1:2:3:4", "-1:00", "0:00:00.", "x", "1:00 ", "999999:00:00"})
    CHECK_MESSAGE(!parse_clock(wrong), wrong);
}

TEST_CASE("clock text reads back as the same clock") {
  CHECK(clock_text(18'000) == "0:03:00");
  CHECK(clock_text(17'970) == "0:02:59.7");
  CHECK(clock_text(17'925) == "0:02:59.25");
  for (const int hundredths : {0, 1, 10, 99, 100, 359'999, 360'000, 36'000'001, 2'147'483'647})
    CHECK(parse_clock(clock_text(hundredths)) == hundredths);
}

TEST_CASE("evaluations are read in all forms") {
  CHECK(parse_evaluation("0.33") == centipawns(33));
  CHECK(parse_evaluation("-0.5") == centipawns(-50));
  CHECK(parse_evaluation("+1.205") == centipawns(120));
  CHECK(parse_evaluation("12") == centipawns(1200));
  CHECK(parse_evaluation(".5") == centipawns(50));
  CHECK(parse_evaluation("0.60,33") == centipawns(60, 33));
  CHECK(parse_evaluation("1.2/7") == centipawns(120, 7));
  CHECK(parse_evaluation("#3") == mate(3));
  CHECK(parse_evaluation("#-12,33") == mate(-12, 33));
  CHECK(parse_evaluation("-#4") == mate(-4));
  CHECK(parse_evaluation("150.00,2119737") == centipawns(15'000, 65'535));
  for (const char* const wrong :
       {"", "-", "#", "#x", "1.", "1.2,", "1.2,x", "1.2 3", "M3", "9999999"})
    CHECK_MESSAGE(!parse_evaluation(wrong), wrong);
}

TEST_CASE("evaluation text reads back as the same evaluation") {
  CHECK(evaluation_text(centipawns(-5, 20)) == "-0.05,20");
  CHECK(evaluation_text(mate(-3)) == "#-3");
  for (const Evaluation& evaluation :
       {centipawns(0), centipawns(-100), centipawns(9'999'999, 65'535), mate(0), mate(7, 1)})
    CHECK(parse_evaluation(evaluation_text(evaluation)) == evaluation);
}

TEST_CASE("commands become fields, all else stays text") {
  PgnMove move;
  std::string text = "before";
  read_comment("\n a  [%eval 0.33,20]b [%csl Gd4]\t[%clk 0:01:00] c [%emt 0:00:05]", &move, &text);
  CHECK(text == "beforea b [%csl Gd4] c");
  CHECK(move.evaluation == centipawns(33, 20));
  CHECK(move.clock == 6'000);
  CHECK(move.elapsed == 500);
}

TEST_CASE("commands that make no sense stay text") {
  for (const std::string comment : {"[%clk soon]", "[%clk 0:01:00", "[ %clk 0:01:00]", "[%]", "[",
                                    "[%clk [%clk 0:01:00]", "%clk 0:01:00]"}) {
    PgnMove move;
    std::string text;
    read_comment(comment, &move, &text);
    CHECK(text == comment);
    CHECK(!move.clock);
  }
}

TEST_CASE("before the first move everything is text") {
  std::string text;
  read_comment(" [%clk 0:01:00]  x ", nullptr, &text);
  CHECK(text == "[%clk 0:01:00] x");
}
