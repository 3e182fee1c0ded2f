#include <doctest/doctest.h>

#include <filesystem>

#include "lab/match/config.h"
#include "support/shared_data.h"

using namespace aleph;
using namespace aleph::lab;

namespace {

MatchDescription match_of(const std::string& text) {
  Result<MatchDescription> match = parse_match_config(text, "match.yml");
  if (!match.ok()) FAIL(match.error());
  return match.take();
}

MatchSettings settings_of(const MatchDescription& match) {
  Result<MatchSettings> settings = understand(match);
  if (!settings.ok()) FAIL(settings.error());
  return settings.take();
}

std::string error_of(const std::string& text) {
  const Result<MatchDescription> match = parse_match_config(text, "match.yml");
  return match.ok() ? "no error" : match.error();
}

constexpr const char* kTwoEngines =
    "engines:\n"
    "  - name: new\n"
    "    cmd: prog 'an argument'\n"
    "    dir: /tmp\n"
    "    options: {Hash: 64, Move Overhead: 0, Ponder: true}\n"
    "  - {name: old, cmd: other, tc: 40/60+0.5}\n"
    "each: {tc: 8+0.08, options: {hash: 16}}\n";

}  // namespace

TEST_CASE("a file says what the command line would") {
  const MatchSettings settings = settings_of(match_of(std::string(kTwoEngines) + R"(
games: 7
concurrency: 3
gauntlet: true
openings: book.epd
order: sequential
seed: 18446744073709551615
plies: 12
variant: fischerandom
draw: {movenumber: 40, score: 10}
resign: true
sprt: {elo0: -1.75, elo1: 0.25, model: logistic}
maxmoves: 150
timemargin: 2.5
maxthink: 9
readytimeout: 0.5
restart: true
check-pv: true
event: "A match: of two"
pgn: out.pgn
state: out.state
report-every: 4
)"));
  REQUIRE(settings.engines.size() == 2);
  const EngineSettings& first = settings.engines[0];
  CHECK(first.engine.name == "new");
  CHECK(first.engine.command.words == Words{"prog", "an argument"});
  CHECK(first.engine.command.folder == "/tmp");
  using Option = std::pair<std::string, std::string>;
  CHECK(first.engine.options ==
        std::vector<Option>{{"Hash", "64"}, {"Move Overhead", "0"}, {"Ponder", "true"}});
  CHECK(to_text(first.limits) == "8+0.08");
  CHECK(to_text(settings.engines[1].limits) == "40/60+0.5");
  CHECK(settings.engines[1].engine.options == std::vector<Option>{{"hash", "16"}});
  CHECK(settings.rounds == 4);
  CHECK(settings.concurrency == 3);
  CHECK(settings.gauntlet);
  CHECK(settings.openings.file == "book.epd");
  CHECK(!settings.openings.random);
  CHECK(settings.openings.plies == 12);
  CHECK(settings.seed == 18446744073709551615ULL);
  CHECK(settings.chess960);
  REQUIRE(settings.adjudication.draw);
  CHECK(settings.adjudication.draw->from_move == 40);
  CHECK(settings.adjudication.draw->moves == 8);
  CHECK(settings.adjudication.draw->score == 10);
  REQUIRE(settings.adjudication.resign);
  CHECK(settings.adjudication.resign->score == 600);
  CHECK(settings.adjudication.most_moves == 150);
  CHECK(settings.sprt == SprtSettings{-1.75, 0.25, 0.05, 0.05, EloModel::Logistic});
  CHECK(settings.time_margin == Milliseconds(2));
  CHECK(settings.longest_think == std::chrono::seconds(9));
  CHECK(settings.timeouts.ready == Milliseconds(500));
  CHECK(settings.restart);
  CHECK(settings.check_pv);
  CHECK(settings.event == "A match: of two");
  CHECK(settings.pgn_file == "out.pgn");
  CHECK(settings.state_file == "out.state");
  CHECK(settings.report_every == 4);
}

TEST_CASE("what a file does not say is as usual") {
  const MatchSettings settings = settings_of(match_of(kTwoEngines));
  const MatchSettings usual;
  CHECK(settings.rounds == 50);
  CHECK(settings.concurrency >= 1);
  CHECK(settings.openings.random);
  CHECK(!settings.adjudication.draw);
  CHECK(!settings.sprt);
  CHECK(settings.time_margin == usual.time_margin);
  CHECK(settings.longest_think == usual.longest_think);
  CHECK(settings.event == usual.event);
  CHECK(settings.state_file.empty());
  CHECK(!settings_of(match_of(std::string(kTwoEngines) + "draw: false\n")).adjudication.draw);
}

TEST_CASE("words of the command line count more than the file") {
  MatchDescription match = match_of(kTwoEngines);
  add_words(match, {"tc=1+0.01"},
            {{"name=old", "option.Hash=1"}, {"name=third", "cmd=x", "nodes=5"}});
  const MatchSettings settings = settings_of(match);
  REQUIRE(settings.engines.size() == 3);
  CHECK(to_text(settings.engines[0].limits) == "1+0.01");
  CHECK(to_text(settings.engines[1].limits) == "1+0.01");
  using Option = std::pair<std::string, std::string>;
  CHECK(settings.engines[1].engine.options == std::vector<Option>{{"Hash", "1"}});
  CHECK(settings.engines[2].engine.name == "third");
  CHECK(to_text(settings.engines[2].limits) == "1+0.01 nodes=5");
  CHECK(settings.engines[2].engine.options == std::vector<Option>{{"hash", "16"}});
}

TEST_CASE("an engine without a name is known by that of its program") {
  MatchDescription match = match_of("engines: [{cmd: a/one, depth: 1}, {cmd: b/two, depth: 1}]\n");
  add_words(match, {}, {{"name=two", "depth=9"}});
  const MatchSettings settings = settings_of(match);
  REQUIRE(settings.engines.size() == 2);
  CHECK(to_text(settings.engines[0].limits) == "depth=1");
  CHECK(to_text(settings.engines[1].limits) == "depth=9");
}

TEST_CASE("two engines of the command line stay two, whatever they are called") {
  MatchDescription match;
  add_words(match, {"depth=1"}, {{"cmd=a"}, {"cmd=a"}});
  CHECK(match.engines.size() == 2);
  CHECK(understand(MatchDescription()).error() == "there is no engine: name two with --engine");
}

TEST_CASE("keys that are not known are refused with file and line") {
  CHECK(error_of("games: 2\ngmes: 3\n")
            .starts_with("match.yml:2: 'gmes' is not known: there are engines, each, gauntlet, "));
  CHECK(error_of("engines:\n  - name: a\n    hash: 3\n") ==
        "match.yml:3: 'hash' is not known: there are name, cmd, dir, tc, movetime, nodes, depth "
        "and options");
  CHECK(error_of("draw:\n  score: 3\n  moves: 3\n") ==
        "match.yml:3: draw: 'moves=3' is not known: there are movenumber=, movecount=, score=");
  CHECK(error_of("each:\n  option.Hash: 3\n").starts_with("match.yml:2: 'option.Hash' is not"));
}

TEST_CASE("values of another kind, or out of range, are refused with file and line") {
  CHECK(error_of("\ngames: many\n") ==
        "match.yml:2: games should be a number from 1 to 100000000, not 'many'");
  CHECK(error_of("games: 0\n").starts_with("match.yml:1: games should be a number from 1 to"));
  CHECK(error_of("games: [1, 2]\n").ends_with("not a list"));
  CHECK(error_of("games: {a: 1}\n").ends_with("not a list of keys"));
  CHECK(error_of("games:\n") == "match.yml:1: 'games' has no value");
  CHECK(error_of("games: 1.5\n").ends_with("not '1.5'"));
  CHECK(error_of("seed: -1\n") ==
        "match.yml:1: seed should be a whole number, 0 or more, not '-1'");
  CHECK(error_of("timemargin: nan\n").ends_with("not 'nan'"));
  CHECK(error_of("restart: maybe\n") ==
        "match.yml:1: restart should be true or false, not 'maybe'");
  CHECK(error_of("order: best\n") ==
        "match.yml:1: order should be random or sequential, not 'best'");
  CHECK(error_of("pgn: [a]\n") == "match.yml:1: pgn should be a text, not a list");
  CHECK(error_of("event: \"two\\nlines\"\n").starts_with("match.yml:1: event should be a line of"));
  CHECK(error_of("engines: {name: a}\n") ==
        "match.yml:1: engines should be a list of engines, not a list of keys");
  CHECK(error_of("engines:\n  - a\n") ==
        "match.yml:2: an engine should be a list of keys with values, not 'a'");
  CHECK(error_of("each: {tc: soon}\n") ==
        "match.yml:1: 'soon' is not a time control: write 8+0.08, 40/60+0.5 or 60 (seconds)");
  CHECK(error_of("each:\n  tc: 1+1\n  nodes: 0\n") ==
        "match.yml:3: 'nodes=0' should be nodes=NUMBER, 1 or more");
  CHECK(error_of("each: {options: [Hash]}\n").starts_with("match.yml:1: options should be"));
  CHECK(error_of("each: {options: {A=B: 1}}\n").ends_with("cannot be the name of an option"));
  CHECK(error_of("draw: often\n") ==
        "match.yml:1: draw should be true, false or a list of keys with values, not 'often'");
  CHECK(error_of("resign:\n  movecount: 3\n  score: x\n") ==
        "match.yml:3: resign: 'score=x' should be score=CENTIPAWNS");
  CHECK(error_of("sprt:\n  elo1: 2\n  elo0: 3\n") ==
        "match.yml:2: sprt: elo0=3 must be less than elo1=2");
  CHECK(error_of("sprt:\n  alpha: 0.05\n  elo0: 7\n") ==
        "match.yml:3: sprt: elo0=7 must be less than elo1=5");
  CHECK(error_of("games: 2\nrounds: 1\n") == "match.yml:2: give either games or rounds, not both");
  CHECK(error_of("games: 2\nseed: 1\ngames: 3\n") == "match.yml:3: 'games' is there twice");
}

TEST_CASE("what is no YAML, or no match, is refused") {
  CHECK(error_of("games: [1\n").find(": this is not YAML: ") != std::string::npos);
  CHECK(error_of("a: b: c\n").starts_with("match.yml:1: this is not YAML: "));
  CHECK(error_of("") == "match.yml:1: a match should be a list of keys with values, not nothing");
  CHECK(error_of("{games: 2} more\n") != "no error");
  CHECK(error_of("a\n---\n,b\n---\nc\n") != "no error");  // some ways to read it never end
  CHECK(error_of("- games\n") ==
        "match.yml:1: a match should be a list of keys with values, not a list");
  CHECK(error_of("games: 1\n---\ngames: 2\n") ==
        "match.yml should describe one match, and nothing else");
  CHECK(error_of("? [a]\n: 1\n").starts_with("match.yml:1: a key of a match should be a word"));
  CHECK(error_of(std::string(100'000, '[')) != "no error");
  CHECK(read_match_config("/nowhere/match.yml").error().starts_with("cannot open /nowhere/"));
}

TEST_CASE("every key can be written in a file") {
  for (const MatchKey& key : match_keys()) {
    CAPTURE(std::string(key.name));
    bool read = false;
    for (const std::string value : {"true", "1", "random", "standard"})
      read |= parse_match_config(std::string(key.name) + ": " + value, "match.yml").ok();
    CHECK(read);
  }
}

TEST_CASE("the examples can be read") {
  const auto folder = test::tests_data().parent_path().parent_path() / "configs" / "match";
  int examples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    CAPTURE(entry.path().string());
    const Result<MatchDescription> match = read_match_config(entry.path().string());
    REQUIRE_MESSAGE(match.ok(), match.error());
    CHECK(understand(match.value()).ok());
    ++examples;
  }
  CHECK(examples >= 2);
}
