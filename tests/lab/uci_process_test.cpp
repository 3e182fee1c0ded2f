#include "lab/uci_process.h"

#include <doctest/doctest.h>

#include "lab/fake_engine.h"

using namespace aleph;
using namespace aleph::lab;
using aleph::test::fake_engine;

namespace {

using namespace std::chrono_literals;

UciProcess::Timeouts short_timeouts() {
  UciProcess::Timeouts timeouts;
  timeouts.ready = 60s;
  timeouts.stop = 100ms;
  timeouts.quit = 100ms;
  return timeouts;
}

std::unique_ptr<UciProcess> started(const EngineCommand& command) {
  UciProcess::Started result = UciProcess::start(command, nullptr, short_timeouts());
  if (result.problem) FAIL(result.problem->text);
  return std::move(result.process);
}

SearchRequest request(std::chrono::steady_clock::duration patience = 60s) {
  return {"position startpos", "go nodes 1", patience};
}

UciProblem search_problem(const std::string& mode, std::chrono::steady_clock::duration patience) {
  const auto engine = started(fake_engine("fake", mode));
  const UciProcess::Searched searched = engine->search(request(patience));
  REQUIRE(!searched.reply);
  REQUIRE(searched.problem);
  return *searched.problem;
}

UciProblem start_problem(const EngineCommand& command, const UciProcess::Timeouts& timeouts) {
  const UciProcess::Started result = UciProcess::start(command, nullptr, timeouts);
  REQUIRE(!result.process);
  REQUIRE(result.problem);
  return *result.problem;
}

using Kind = UciProblem::Kind;

}  // namespace

TEST_CASE("an engine is started, asked, and answers") {
  EngineCommand command = fake_engine("fake", "good cp=25");
  command.options = {{"hash", "64"}};
  const auto engine = started(command);
  CHECK(engine->id_name() == "Fake good");
  CHECK(engine->has_option("HASH"));
  CHECK(!engine->has_option("Has"));
  CHECK(!engine->new_game());
  int lines = 0;
  const auto searched =
      engine->search(request(), [&](std::string_view, const UciInfo&) { ++lines; });
  REQUIRE(searched.reply);
  CHECK(searched.reply->best_move == "g1f3");
  CHECK(!searched.reply->was_stopped);
  CHECK(searched.reply->elapsed > 0s);
  CHECK(searched.reply->info.depth == 3);
  CHECK(searched.reply->info.score->value == 25);
  CHECK(lines == 1);
}

TEST_CASE("an engine that cannot be started is a problem, not an accident") {
  EngineCommand missing;
  missing.command.words = {"/nonexistent/engine"};
  CHECK(start_problem(missing, {}).text ==
        "cannot start /nonexistent/engine: No such file or directory");
  EngineCommand not_an_engine;
  not_an_engine.command.words = {"true"};
  CHECK(start_problem(not_an_engine, {}).kind == Kind::Died);

  EngineCommand misspelt = fake_engine("fake", "good");
  misspelt.options = {{"Hsh", "64"}};
  const UciProblem refused = start_problem(misspelt, short_timeouts());
  CHECK(refused.kind == Kind::Refused);
  CHECK(refused.text == "has no option 'Hsh'");

  UciProcess::Timeouts impatient;
  impatient.ready = 100ms;
  const UciProblem silent = start_problem(fake_engine("fake", "no-uciok"), impatient);
  CHECK(silent.kind == Kind::Silent);
  CHECK(silent.text == "no uciok within 0.1 s");
}

TEST_CASE("an engine that dies while it thinks is described") {
  CHECK(search_problem("exit", 60s).kind == Kind::Died);
  CHECK(search_problem("exit", 60s).text == "exited with code 3");
  CHECK(search_problem("signal", 60s).text == "was killed by signal 11 (Segmentation fault)");
  CHECK(search_problem("close", 60s).text == "closed its output and did not end");
  CHECK(search_problem("complain", 60s).text ==
        "exited with code 3, after saying 'assertion failed: the king is gone'");
}

TEST_CASE("an engine that never answers is given up") {
  CHECK(search_problem("hang", 50ms).kind == Kind::Silent);
  CHECK(search_problem("hang", 50ms).text == "no bestmove within 0.1 s, nor after stop");
  CHECK(search_problem("flood", 50ms).kind == Kind::Silent);
}

TEST_CASE("an engine that answers only when stopped is still of use") {
  UciProcess::Timeouts timeouts = short_timeouts();
  timeouts.stop = 60s;
  const auto engine = UciProcess::start(fake_engine("fake", "late"), nullptr, timeouts).process;
  REQUIRE(engine);
  const auto searched = engine->search(request(50ms));
  REQUIRE(searched.reply);
  CHECK(searched.reply->was_stopped);
  CHECK(searched.reply->best_move == "g1f3");
  CHECK(!engine->new_game());
}

TEST_CASE("rubbish around an answer does no harm") {
  const auto engine = started(fake_engine("fake", "garbage"));
  const auto searched = engine->search(request());
  REQUIRE(searched.reply);
  CHECK(searched.reply->best_move == "g1f3");
}

TEST_CASE("waiting can be interrupted") {
  const Interrupt interrupt;
  UciProcess::Started result =
      UciProcess::start(fake_engine("fake", "hang"), &interrupt, short_timeouts());
  REQUIRE(result.process);
  interrupt.raise();
  const auto searched = result.process->search(request());
  REQUIRE(searched.problem);
  CHECK(searched.problem->kind == Kind::Interrupted);
}
