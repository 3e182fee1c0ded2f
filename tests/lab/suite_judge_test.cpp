#include "lab/suite_judge.h"

#include <doctest/doctest.h>

#include "chess/fen.h"
#include "chess/uci_move.h"
#include "lab/fake_engine.h"

using namespace aleph;
using namespace aleph::lab;
using aleph::test::fake_engine;

namespace {

UciScore centipawns(int value) { return {false, value}; }
UciScore mate(int moves) { return {true, moves}; }

SuiteTask task_of(const std::string& fen, std::initializer_list<const char*> best,
                  std::initializer_list<const char*> avoid = {}) {
  SuiteTask task{"task", chess::parse_fen(fen).take(), {}, {}, 0, {}};
  for (const char* const move : best)
    task.best.push_back(chess::parse_uci_move(move, task.position).take());
  for (const char* const move : avoid)
    task.avoid.push_back(chess::parse_uci_move(move, task.position).take());
  return task;
}

std::unique_ptr<UciProcess> started(const EngineCommand& command) {
  UciProcess::Started result = UciProcess::start(command);
  if (result.problem) FAIL(result.problem->text);
  return std::move(result.process);
}

// Both rooks mate on the eighth rank; other moves only keep the win.
const char* const kTwoMates = "6k1/5ppp/8/8/8/8/5PPP/R3R1K1 w - - 0 1";
// Whoever moves takes the other's rook.
const char* const kOnlyMove = "6k1/5ppp/8/8/8/8/r4PPP/R5K1 w - - 0 1";

}  // namespace

TEST_CASE("scores become points, the same for both sides") {
  CHECK(points_of(centipawns(0)) == doctest::Approx(0.5));
  CHECK(points_of(mate(5)) == 1);
  CHECK(points_of(mate(-5)) == 0);
  CHECK(points_of(mate(0)) == 0);  // the side to move is mated
  for (const int value : {20, 100, 180, 400, 3000})
    CHECK(points_of(centipawns(value)) + points_of(centipawns(-value)) == doctest::Approx(1));
  CHECK(points_of(centipawns(100)) == doctest::Approx(0.75).epsilon(0.01));
}

TEST_CASE("of two moves that win neither is wrong, but less than the win is") {
  CHECK(is_as_good(centipawns(600), mate(3)));
  CHECK(is_as_good(centipawns(90), centipawns(92)));
  CHECK(is_as_good(mate(3), centipawns(0)));
  CHECK_FALSE(is_as_good(centipawns(120), centipawns(500)));
  CHECK_FALSE(is_as_good(centipawns(0), centipawns(60)));
  CHECK_FALSE(is_as_good(mate(-2), centipawns(-100)));
}

TEST_CASE("a judge compares an answer with the moves that were asked for") {
  const auto stockfish = aleph::test::stockfish_or_skip();
  if (!stockfish) return;
  EngineCommand command;
  command.name = "Stockfish";
  command.command.words = {*stockfish};
  const auto engine = started(command);
  std::optional<UciProblem> problem;
  const auto ask = [&](const SuiteTask& task, const char* answer) {
    const auto judgement = judge(*engine, task, answer, "nodes 20000", problem);
    CHECK(!problem);
    REQUIRE(judgement);
    return *judgement;
  };

  const Judgement other_mate = ask(task_of(kTwoMates, {"a1a8"}), "e1e8");
  CHECK(other_mate.answer == mate(1));
  CHECK(other_mate.expected == mate(1));
  CHECK(other_mate.is_as_good);
  CHECK(ask(task_of(kTwoMates, {"a1a8"}), "h2h3").is_as_good);

  const Judgement blunder = ask(task_of(kOnlyMove, {"a1a2"}), "h2h3");
  CHECK_FALSE(blunder.is_as_good);
  CHECK(points_of(blunder.answer) < 0.1);
  CHECK_FALSE(ask(task_of(kOnlyMove, {}, {"h2h3"}), "h2h3").is_as_good);
}

TEST_CASE("what cannot be judged is left alone") {
  const auto engine = started(fake_engine("judge", "good"));
  std::optional<UciProblem> problem;
  const std::string start = to_fen(chess::Position());
  CHECK_FALSE(judge(*engine, task_of(start, {"e2e4"}), "e2e5", "nodes 1", problem));
  CHECK_FALSE(judge(*engine, task_of(start, {"e2e4"}), "", "nodes 1", problem));
  SuiteTask mates = task_of(kTwoMates, {});
  mates.mate = 1;
  CHECK_FALSE(judge(*engine, mates, "h2h3", "nodes 1", problem));
  SuiteTask puzzle = task_of(kTwoMates, {});
  puzzle.solution = {chess::parse_uci_move("a1a8", puzzle.position).take()};
  CHECK_FALSE(judge(*engine, puzzle, "h2h3", "nodes 1", problem));
  CHECK(!problem);

  const auto judged = judge(*engine, task_of(start, {"e2e4"}), "d2d4", "nodes 1", problem);
  REQUIRE(judged);
  CHECK(judged->is_as_good);  // it says the same about everything
}

TEST_CASE("a judge that fails is told of") {
  const auto engine = started(fake_engine("judge", "exit at=2"));
  std::optional<UciProblem> problem;
  const SuiteTask task = task_of(to_fen(chess::Position()), {"e2e4"});
  // Told of a new game before each question, it dies at none of its first answers.
  CHECK(judge(*engine, task, "d2d4", "nodes 1", problem));
  const auto dying = started(fake_engine("judge", "exit"));
  CHECK_FALSE(judge(*dying, task, "d2d4", "nodes 1", problem));
  REQUIRE(problem);
  CHECK(problem->kind == UciProblem::Kind::Died);
}
