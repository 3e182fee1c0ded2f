#include "data/dataset/game_facts.h"

#include <doctest/doctest.h>

#include "data/pgn_reader.h"

namespace aleph::data {
namespace {

Game game_of(const std::string& text) {
  PgnReader reader(ByteStream::from_text(text));
  Game game;
  REQUIRE(reader.next(game));
  return game;
}

GameFacts facts_of(const std::string& text) {
  GameFacts facts;
  facts.read(game_of(text));
  return facts;
}

TEST_CASE("time controls") {
  CHECK(parse_time_control("180+2")->base_seconds == 180);
  CHECK(parse_time_control("180+2")->increment_seconds == 2);
  CHECK(parse_time_control("600")->increment_seconds == 0);
  for (const char* const other : {"", "-", "?", "40/9000+30", "1/86400", "+2", "180+", "-5", "nan"})
    CHECK_FALSE(parse_time_control(other));
  CHECK(pace_of({15, 0}) == Pace::UltraBullet);
  CHECK(pace_of({60, 0}) == Pace::Bullet);
  CHECK(pace_of({120, 1}) == Pace::Bullet);
  CHECK(pace_of({180, 0}) == Pace::Blitz);
  CHECK(pace_of({300, 3}) == Pace::Blitz);
  CHECK(pace_of({600, 0}) == Pace::Rapid);
  CHECK(pace_of({1800, 0}) == Pace::Classical);
  for (const Pace pace :
       {Pace::UltraBullet, Pace::Bullet, Pace::Blitz, Pace::Rapid, Pace::Classical})
    CHECK(parse_pace(to_text(pace)) == pace);
  CHECK_FALSE(parse_pace("fast"));
}

TEST_CASE("clocks are those that the mover saw") {
  const GameFacts facts = facts_of(
      "[WhiteElo \"1500\"]\n[BlackElo \"1700\"]\n[TimeControl \"60+1\"]\n[Result \"0-1\"]\n\n"
      "1. e4 {[%clk 0:00:58]} e5 {[%clk 0:01:00]} 2. Nf3 {[%clk 0:00:50]} Nc6 {[%clk 0:00:59]} "
      "3. Bb5 0-1\n");
  CHECK(facts.rating[0] == 1500);
  CHECK(facts.rating[1] == 1700);
  CHECK(facts.clock[0] == 60);
  CHECK(facts.think_time[0] == doctest::Approx(3));
  CHECK(facts.clock[1] == 60);
  CHECK(facts.think_time[1] == doctest::Approx(1));
  CHECK(facts.clock[2] == 58);
  CHECK(facts.think_time[2] == doctest::Approx(9));
  CHECK(facts.clock[4] == 50);
  CHECK_FALSE(facts.think_time[4]);
  CHECK(facts.outcome(chess::Color::White) == -1);
  CHECK(facts.outcome(chess::Color::Black) == 1);
}

TEST_CASE("what is not told is not known") {
  const GameFacts facts = facts_of("[WhiteElo \"?\"]\n[BlackElo \"99999\"]\n\n1. e4 e5 *\n");
  CHECK_FALSE(facts.rating[0]);
  CHECK_FALSE(facts.rating[1]);
  CHECK_FALSE(facts.time_control);
  CHECK_FALSE(facts.clock[0]);
  CHECK_FALSE(facts.outcome(chess::Color::White));
}

TEST_CASE("a game's number depends on who played what and when") {
  const std::string tags = "[White \"a\"]\n[Black \"b\"]\n[UTCTime \"10:00:00\"]\n\n";
  const auto id = facts_of(tags + "1. e4 e5 *\n").id;
  CHECK(id > 0);
  CHECK(facts_of("[Event \"x\"]\n" + tags + "1. e4 {good} e5 *\n").id == id);
  CHECK(facts_of(tags + "1. e4 c5 *\n").id != id);
  CHECK(facts_of("[White \"c\"]\n[Black \"b\"]\n[UTCTime \"10:00:00\"]\n\n1. e4 e5 *\n").id != id);
}

}  // namespace
}  // namespace aleph::data
