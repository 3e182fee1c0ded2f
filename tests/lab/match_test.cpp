// Whole matches between real processes.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include "data/pgn_reader.h"
#include "lab/fake_engine.h"
#include "lab/match/runner.h"
#include "support/shared_data.h"

using namespace aleph;
using namespace aleph::lab;
using aleph::test::fake_player;

namespace {

using namespace std::chrono_literals;

// The engine under test and a good one. No clock runs for the good one.
MatchSettings fakes(const std::string& arguments, int rounds = 1) {
  MatchSettings settings;
  settings.engines = {fake_player("subject", arguments), fake_player("good", "good")};
  settings.rounds = rounds;
  settings.concurrency = 2;
  settings.timeouts.ready = 60s;
  return settings;
}

MatchEnd play(const MatchSettings& settings, std::vector<GameSummary>* games = nullptr) {
  MatchListener listener;
  listener.on_game = [&](const GameSummary& game, const Fixture&, const Standings&) {
    if (games != nullptr) games->push_back(game);
  };
  const Interrupt interrupt;
  Result<MatchEnd> end = run_match(settings, listener, interrupt);
  if (!end.ok()) FAIL(end.error());
  return end.take();
}

std::string error_of(const MatchSettings& settings) {
  const Interrupt interrupt;
  const Result<MatchEnd> end = run_match(settings, {}, interrupt);
  REQUIRE(!end.ok());
  return end.error();
}

// The moves of every game, by its round; fails for a game that is there twice or cannot be read.
std::map<std::string, std::vector<chess::Move>> games_in(const std::string& file) {
  std::map<std::string, std::vector<chess::Move>> games;
  data::PgnReader reader(data::ByteStream::open(file).take(), {},
                         [](const data::PgnProblem& problem) { FAIL(problem.describe()); });
  for (data::Game game; reader.next(game);) {
    std::vector<chess::Move> moves;
    for (const data::PgnMove& move : game.moves) moves.push_back(move.move);
    const bool is_new = games.emplace(game.tag("Round").value_or("?"), moves).second;
    CHECK(is_new);
  }
  return games;
}

std::size_t lines_in(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return static_cast<std::size_t>(
      std::count(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>(), '\n'));
}

struct Misbehaviour {
  std::string arguments;
  EndKind kind;
  std::string reason;  // what stands in it
  bool timed = false;  // give it a short time for each move
};
const Misbehaviour kMisbehaviours[]{
    {"exit at=2", EndKind::Crash, ": exited with code 3"},
    {"signal", EndKind::Crash, ": was killed by signal 11"},
    {"complain", EndKind::Crash, "the king is gone"},
    {"close at=3", EndKind::Crash, ": closed its output"},
    {"dead-ready", EndKind::Crash, ": exited with code 4"},
    {"illegal", EndKind::IllegalMove, ": bestmove 'e1e8'"},
    {"nonsense at=2", EndKind::IllegalMove, ": bestmove '\\x01hello'"},
    {"none", EndKind::IllegalMove, ": bestmove '(none)'"},
    {"hang", EndKind::Hang, ": no bestmove within 0.1 s, nor after stop", true},
    {"flood", EndKind::Hang, ": no bestmove within 0.1 s, nor after stop", true},
};

}  // namespace

TEST_CASE("two good engines draw by repetition, in pairs") {
  const test::TemporaryFolder folder;
  MatchSettings settings = fakes("good", 3);
  settings.pgn_file = folder.path() / "new" / "games.pgn";
  std::vector<GameSummary> games;
  const MatchEnd end = play(settings, &games);
  CHECK(end.why == MatchEnd::Why::AllPlayed);
  CHECK(end.standings.engines()[0].games == Wdl{0, 6, 0});
  CHECK(end.standings.engines()[0].pairs == Pentanomial{{0, 0, 3, 0, 0}});
  CHECK(!end.standings.any_fault());
  CHECK(end.standings.engines()[0].totals.moves == 24);
  REQUIRE(games.size() == 6);
  for (const GameSummary& game : games) {
    CHECK(game.reason == "Draw: threefold repetition");
    CHECK(game.plies == 8);
  }
  CHECK(games_in(settings.pgn_file).size() == 6);
}

TEST_CASE("whatever an engine does wrong costs it the game, and the match goes on") {
  for (const Misbehaviour& test : kMisbehaviours) {
    CAPTURE(test.arguments);
    MatchSettings settings = fakes(test.arguments);
    if (test.timed) settings.engines[0].limits = {.move_time = Milliseconds(80)};
    settings.time_margin = Milliseconds(0);
    settings.timeouts.stop = 100ms;
    std::vector<GameSummary> games;
    const MatchEnd end = play(settings, &games);
    CHECK(end.why == MatchEnd::Why::AllPlayed);
    const EngineStanding& subject = end.standings.engines()[0];
    CHECK(subject.games == Wdl{0, 0, 2});
    CHECK(subject.faults_of(test.kind) == 2);
    CHECK(subject.all_faults() == 2);
    CHECK(end.standings.engines()[1].all_faults() == 0);
    REQUIRE(games.size() == 2);
    for (const GameSummary& game : games) {
      CHECK(game.kind == test.kind);
      const bool told = game.reason.find(test.reason) != std::string::npos;
      if (!told) FAIL_CHECK(game.reason);
      CHECK(game.reason.starts_with(game.number == 0 ? "White: " : "Black: "));
    }
  }
}

TEST_CASE("an engine that is never ready hangs") {
  MatchSettings settings = fakes("no-readyok");
  settings.timeouts.ready = 3s;
  const MatchEnd end = play(settings);
  CHECK(end.standings.engines()[0].faults_of(EndKind::Hang) == 2);
}

TEST_CASE("an engine that oversteps its time loses, and goes on in the next game") {
  MatchSettings settings = fakes("late", 2);
  settings.engines[0].limits = {.clock = TimeControl{std::nullopt, Milliseconds(50), {}}};
  settings.timeouts.stop = 60s;
  settings.concurrency = 1;
  std::vector<GameSummary> games;
  const MatchEnd end = play(settings, &games);
  CHECK(end.standings.engines()[0].games == Wdl{0, 0, 4});
  CHECK(end.standings.engines()[0].faults_of(EndKind::TimeLoss) == 4);
  CHECK(games.at(0).reason.find("where 0.050 s were left") != std::string::npos);
}

TEST_CASE("rubbish between the lines is no fault, an illegal line is found if asked for") {
  CHECK(play(fakes("garbage")).standings.engines()[0].games == Wdl{0, 2, 0});
  MatchSettings settings = fakes("bad-pv at=2");
  CHECK(!play(settings).standings.any_bad_pv());
  settings.check_pv = true;
  const MatchEnd end = play(settings);
  const SideTotals& totals = end.standings.engines()[0].totals;
  CHECK(totals.pv_lines == 10);
  CHECK(totals.bad_pv_lines == 2);
  CHECK(end.standings.engines()[1].totals.bad_pv_lines == 0);
  CHECK(end.standings.engines()[0].games == Wdl{0, 2, 0});
  CHECK(end.standings.bad_pv().find("'a1a1'") != std::string::npos);
}

TEST_CASE("games are adjudicated by what the engines say") {
  MatchSettings settings = fakes("good cp=-900");
  settings.adjudication.resign = ResignRule{2, 600, false};
  std::vector<GameSummary> games;
  CHECK(play(settings, &games).standings.engines()[0].games == Wdl{0, 0, 2});
  CHECK(games.at(0).kind == EndKind::Adjudication);
  settings.adjudication.resign->two_sided = true;
  CHECK(play(settings).standings.engines()[0].games == Wdl{0, 2, 0});
}

TEST_CASE("an SPRT stops the match") {
  MatchSettings settings = fakes("illegal", 10'000);
  settings.sprt = SprtSettings{-400, 0, 0.05, 0.05, EloModel::Logistic};
  const MatchEnd end = play(settings);
  CHECK(end.why == MatchEnd::Why::SprtDecided);
  CHECK(end.standings.games() < 1000);
  const EngineStanding& subject = end.standings.engines()[0];
  CHECK(sprt_verdict(sprt_llr(subject.pairs, subject.games, *settings.sprt), *settings.sprt) ==
        SprtVerdict::AcceptH0);
}

TEST_CASE("more than two engines meet each other, or all meet the first") {
  MatchSettings settings = fakes("good");
  settings.engines.push_back(fake_player("third", "illegal"));
  const MatchEnd all = play(settings);
  CHECK(all.standings.games() == 6);
  CHECK(all.standings.engines()[2].games == Wdl{0, 0, 4});
  CHECK(all.standings.engines()[0].games == Wdl{2, 2, 0});
  settings.gauntlet = true;
  CHECK(play(settings).standings.games() == 4);
}

TEST_CASE("engines can be started anew for each game") {
  MatchSettings settings = fakes("good", 2);
  settings.restart = true;
  CHECK(play(settings).standings.engines()[0].games == Wdl{0, 4, 0});
}

TEST_CASE("a match that cannot begin says why") {
  MatchSettings settings = fakes("good");
  settings.engines[1].engine.name = "subject";
  CHECK(error_of(settings) == "two engines are called 'subject': give them different names");
  settings = fakes("good");
  settings.engines[1].engine.command.words = {"/nonexistent/engine"};
  CHECK(error_of(settings) ==
        "engine 'good': cannot start /nonexistent/engine: No such file or directory");
  settings = fakes("good");
  settings.engines[0].engine.options = {{"Hsh", "1"}};
  CHECK(error_of(settings) == "engine 'subject': has no option 'Hsh'");
  settings = fakes("good");
  settings.pgn_file = "/proc/nothing/games.pgn";
  CHECK(error_of(settings).starts_with("cannot write /proc/nothing/games.pgn: "));
  settings = fakes("good");
  settings.engines.pop_back();
  CHECK(error_of(settings) == "a match needs two engines or more");
}

TEST_CASE("an interrupted match tells what it has, and can be resumed and made longer") {
  const test::TemporaryFolder folder;
  MatchSettings settings = fakes("good", 20);
  settings.pgn_file = folder.path() / "games.pgn";
  settings.state_file = folder.path() / "state";
  const Interrupt interrupt;
  MatchListener listener;
  listener.on_game = [&](const GameSummary&, const Fixture&, const Standings& standings) {
    if (standings.games() == 7) interrupt.raise();
  };
  const Result<MatchEnd> first = run_match(settings, listener, interrupt);
  REQUIRE(first.ok());
  CHECK(first.value().why == MatchEnd::Why::Interrupted);
  CHECK(first.value().standings.games() >= 7);
  CHECK(first.value().standings.games() < 40);

  CHECK(error_of(settings).find("belongs to an earlier match") != std::string::npos);
  settings.resume = true;
  std::vector<GameSummary> games;
  CHECK(play(settings, &games).standings.engines()[0].games == Wdl{0, 40, 0});
  CHECK(games.size() + first.value().standings.games() == 40);
  CHECK(games_in(settings.pgn_file).size() == 40);
  settings.rounds = 22;
  CHECK(play(settings).standings.engines()[0].pairs == Pentanomial{{0, 0, 22, 0, 0}});
  CHECK(games_in(settings.pgn_file).size() == 44);
  settings.seed = 1;
  CHECK(error_of(settings).find("was written for another match") != std::string::npos);
}

TEST_CASE("a match that is killed goes on with no game lost and none played twice") {
  const test::TemporaryFolder folder;
  MatchSettings settings = fakes("good", 150);
  settings.pgn_file = folder.path() / "games.pgn";
  settings.state_file = folder.path() / "state";
  settings.resume = true;
  for (std::size_t lines = 20; lines <= 80; lines += 30) {
    const pid_t runner = ::fork();
    if (runner == 0) {
      const Interrupt interrupt;
      (void)run_match(settings, {}, interrupt).ok();
      ::_exit(0);
    }
    REQUIRE(runner > 0);
    // Until there are so many games; the child may end before, which is no harm.
    while (lines_in(settings.state_file) < lines && ::waitpid(runner, nullptr, WNOHANG) == 0)
      std::this_thread::sleep_for(1ms);
    ::kill(runner, SIGKILL);
    ::waitpid(runner, nullptr, 0);
  }
  // As if it had been killed between the two files, and while writing the second.
  std::ofstream(settings.pgn_file, std::ios::app) << "[Event \"half a game\"]\n\n1. e4 e5 2. Nf";
  std::ofstream(settings.state_file, std::ios::app) << "game\t7\t1-0";

  const MatchEnd end = play(settings);
  CHECK(end.standings.games() == 300);
  CHECK(end.standings.engines()[0].pairs == Pentanomial{{0, 0, 150, 0, 0}});
  const auto games = games_in(settings.pgn_file);
  CHECK(games.size() == 300);
  CHECK(games.contains("1.1"));
  CHECK(games.contains("150.2"));
}

TEST_CASE("Stockfish plays Stockfish, and the same games again") {
  const auto stockfish = test::stockfish_or_skip();
  if (!stockfish) return;
  const test::TemporaryFolder folder;
  MatchSettings settings;
  for (const char* const name : {"A", "B"}) {
    EngineSettings engine;
    engine.engine.name = name;
    engine.engine.command.words = {*stockfish};
    engine.engine.options = {{"Hash", "1"}};
    engine.limits.nodes = name[0] == 'A' ? 600 : 300;
    settings.engines.push_back(engine);
  }
  settings.openings.file =
      folder.write("book.epd",
                   "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3\n"
                   "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n");
  settings.openings.random = true;
  settings.rounds = 3;
  settings.check_pv = true;
  settings.pgn_file = folder.path() / "one.pgn";
  settings.concurrency = 1;
  const MatchEnd one = play(settings);
  CHECK(one.standings.games() == 6);
  CHECK(!one.standings.any_fault());
  CHECK(!one.standings.any_bad_pv());
  CHECK(one.standings.engines()[0].totals.pv_lines > 100);
  settings.pgn_file = folder.path() / "two.pgn";
  settings.concurrency = 3;
  settings.restart = true;
  CHECK(play(settings).standings.games() == 6);
  CHECK(games_in(folder.path() / "one.pgn") == games_in(folder.path() / "two.pgn"));
}

TEST_CASE("Stockfish plays by the clock, and Chess960") {
  const auto stockfish = test::stockfish_or_skip();
  if (!stockfish) return;
  const test::TemporaryFolder folder;
  MatchSettings settings;
  for (const char* const name : {"A", "B"}) {
    EngineSettings engine;
    engine.engine.name = name;
    engine.engine.command.words = {*stockfish};
    engine.limits.clock = TimeControl{5, Milliseconds(200), Milliseconds(10)};
    settings.engines.push_back(engine);
  }
  settings.time_margin = 600s;  // the machine may be busy
  settings.chess960 = true;
  settings.openings.file =
      folder.write("960.epd",
                   "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n"
                   "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1\n");
  settings.adjudication.most_moves = 20;
  settings.rounds = 2;
  settings.check_pv = true;
  settings.pgn_file = folder.path() / "games.pgn";
  const MatchEnd end = play(settings);
  CHECK(end.standings.games() == 4);
  CHECK(!end.standings.any_fault());
  CHECK(!end.standings.any_bad_pv());
  data::PgnReader reader(data::ByteStream::open(settings.pgn_file).take());
  for (data::Game game; reader.next(game);) {
    CHECK(game.start.is_chess960());
    CHECK(game.moves.at(0).clock.has_value());
  }
}
