#include <doctest/doctest.h>

#include "lab/match/settings.h"

using namespace aleph;
using namespace aleph::lab;

namespace {

using Words = std::vector<std::string>;

TimeControl control(std::string_view text) {
  const Result<TimeControl> result = parse_time_control(text);
  REQUIRE(result.ok());
  return result.value();
}

std::string engine_error(const Words& words) {
  const Result<EngineSettings> result = parse_engine(words, {});
  REQUIRE(!result.ok());
  return result.error();
}

}  // namespace

TEST_CASE("time controls") {
  CHECK(control("8+0.08") == TimeControl{std::nullopt, Milliseconds(8000), Milliseconds(80)});
  CHECK(control("40/60+0.5") == TimeControl{40, Milliseconds(60000), Milliseconds(500)});
  CHECK(control("2:30+1") == TimeControl{std::nullopt, Milliseconds(150000), Milliseconds(1000)});
  CHECK(control("0+1") == TimeControl{std::nullopt, Milliseconds(0), Milliseconds(1000)});
  for (const char* const text : {"8+0.08", "40/60+0.5", "60", "0.5+0.01"})
    CHECK(to_text(control(text)) == text);
  for (const char* const text :
       {"", "+", "0", "8+", "-1+1", "0/60", "x/60", "8+0.08s", "nan", "inf", "1e9", "1:x", "40/"})
    CHECK(!parse_time_control(text).ok());
}

TEST_CASE("an engine is a list of words, after those common to all") {
  const Words common{"tc=8+0.08", "option.Hash=16", "option.Threads=1"};
  const Words words{"name=A",         "cmd=prog 'an argument' \"\" -x", "dir=/tmp",
                    "option.hash=64", "option.Move Overhead=0",         "nodes=500"};
  const Result<EngineSettings> result = parse_engine(words, common);
  REQUIRE(result.ok());
  const EngineSettings& engine = result.value();
  CHECK(engine.engine.name == "A");
  CHECK(engine.engine.command.words == Words{"prog", "an argument", "", "-x"});
  CHECK(engine.engine.command.folder == "/tmp");
  using Option = std::pair<std::string, std::string>;
  CHECK(engine.engine.options ==
        std::vector<Option>{{"Threads", "1"}, {"hash", "64"}, {"Move Overhead", "0"}});
  CHECK(to_text(engine.limits) == "8+0.08 nodes=500");
}

TEST_CASE("an engine without a name is called like its program") {
  const Result<EngineSettings> result = parse_engine(Words{"cmd=/usr/games/fish", "depth=3"}, {});
  REQUIRE(result.ok());
  CHECK(result.value().engine.name == "fish");
}

TEST_CASE("errors name the engine and the word") {
  CHECK(engine_error({"name=A"}) == "engine 'A' has no cmd=");
  CHECK(engine_error({"cmd=x"}) ==
        "engine 'x' has no limit: give it, or --each, tc=, movetime=, nodes= or depth=");
  CHECK(engine_error({"name=A", "cmd=x", "nodes=0"}) ==
        "engine 'A': 'nodes=0' should be nodes=NUMBER, 1 or more");
  CHECK(engine_error({"name=A", "hash=3"}) ==
        "engine 'A': 'hash' is not known: there are name, cmd, dir, tc, movetime, nodes, depth and "
        "option.NAME");
  CHECK(engine_error({"name=A", "fast"}) == "engine 'A': 'fast' is not of the form name=value");
  CHECK(engine_error({"cmd='x"}) == "engine '': ''x' has a quote that does not end");
  CHECK(engine_error({"tc=x"}) ==
        "engine '': 'x' is not a time control: write 8+0.08, 40/60+0.5 or 60 (seconds)");
}

TEST_CASE("rules have defaults, and errors name the word") {
  REQUIRE(parse_draw_rule({}).ok());
  CHECK(parse_draw_rule({}).value().moves == 8);
  CHECK(parse_draw_rule(Words{"movecount=3", "score=5"}).value().score == 5);
  CHECK(parse_draw_rule(Words{"movecount=0"}).error() ==
        "--draw: 'movecount=0' should be movecount=NUMBER, 1 or more");
  CHECK(parse_resign_rule(Words{"twosided"}).value().two_sided);
  CHECK(!parse_resign_rule(Words{"twosided=false"}).value().two_sided);
  CHECK(parse_resign_rule(Words{"moves=3"}).error() ==
        "--resign: 'moves=3' is not known: there are movecount=, score=, twosided=");
  CHECK(parse_sprt({}).value() == SprtSettings{});
  CHECK(parse_sprt(Words{"elo0=-1.75", "elo1=0.25", "model=logistic"}).value() ==
        SprtSettings{-1.75, 0.25, 0.05, 0.05, EloModel::Logistic});
  CHECK(parse_sprt(Words{"elo0=5", "elo1=5"}).error() == "--sprt: elo0=5 must be less than elo1=5");
  CHECK(!parse_sprt(Words{"alpha=0"}).ok());
  CHECK(!parse_sprt(Words{"model=x"}).ok());
}

TEST_CASE("a word of an engine can be checked by itself") {
  for (const char* const word : {"name=A", "cmd=x y", "tc=8+0.08", "nodes=5", "option.A=", "dir=."})
    CHECK(check_engine_word(word).ok());
  for (const char* const word : {"nam=A", "nodes=x", "tc=", "fast", "option.=3", "cmd='x"})
    CHECK(!check_engine_word(word).ok());
}
