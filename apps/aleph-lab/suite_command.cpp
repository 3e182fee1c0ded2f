#include "suite_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/rng.h"
#include "common/arguments.h"
#include "lab/match/settings.h"
#include "lab/suite.h"
#include "lab/suite_judge.h"

namespace aleph::apps {

namespace {

struct SuiteArguments {
  std::string file;
  std::vector<std::vector<std::string>> engines;
  std::vector<std::string> judge;
  std::uint64_t judge_nodes = 2'000'000;
  int move_time = 0, depth = 0;
  std::uint64_t nodes = 0;
  std::size_t limit = 0;
  std::uint64_t seed = 0;
  bool verbose = false, keep_table = false;
};

std::string go_command(const SuiteArguments& in) {
  if (in.nodes > 0) return fmt::format("go nodes {}", in.nodes);
  if (in.depth > 0) return fmt::format("go depth {}", in.depth);
  return fmt::format("go movetime {}", in.move_time > 0 ? in.move_time : 1000);
}

// Engines come with a limit for matches; a suite sets its own.
Result<lab::EngineCommand> engine_of(const std::vector<std::string>& words) {
  const std::vector<std::string> any_limit{"depth=1"};
  auto engine = lab::parse_engine(words, any_limit);
  if (!engine.ok()) return Error{engine.error()};
  return engine.take().engine;
}

std::string score_text(const lab::UciScore& score) {
  return score.is_mate ? fmt::format("mate {}", score.value) : fmt::format("{:+}", score.value);
}

// Asks about one wrong answer, and says in words what came of it.
class Judge {
 public:
  static Result<Judge> start(const SuiteArguments& in) {
    Judge judge(fmt::format("nodes {}", in.judge_nodes));
    if (in.judge.empty()) return judge;
    auto command = engine_of(in.judge);
    if (!command.ok()) return Error{command.error()};
    judge.command_ = command.take();
    if (const auto problem = judge.start_engine()) return Error{*problem};
    return judge;
  }

  bool is_there() const { return engine_ != nullptr; }
  // Counts what is as good; the text is for --verbose.
  Result<std::string> look_at(const lab::SuiteTask& task, const std::string& answer,
                              lab::SuiteScore& score) {
    std::optional<lab::UciProblem> problem;
    const auto judgement = lab::judge(*engine_, task, answer, limit_, problem);
    if (problem) {
      if (const auto again = start_engine()) return Error{*again};
      return ", the judge " + problem->text;
    }
    if (!judgement) return std::string();
    score.as_good += judgement->is_as_good;
    return fmt::format(", {} for the judge ({} against {})",
                       judgement->is_as_good ? "as good" : "worse", score_text(judgement->answer),
                       score_text(judgement->expected));
  }

 private:
  explicit Judge(std::string limit) : limit_(std::move(limit)) {}

  std::optional<std::string> start_engine() {
    auto started = lab::UciProcess::start(command_);
    if (started.problem) return "the judge " + started.problem->text;
    engine_ = std::move(started.process);
    return std::nullopt;
  }

  std::string limit_;
  lab::EngineCommand command_;
  std::unique_ptr<lab::UciProcess> engine_;
};

Result<lab::SuiteScore> run_engine(const lab::EngineCommand& command, const lab::Suite& suite,
                                   const SuiteArguments& in, Judge& judge) {
  lab::SuiteScore score;
  auto started = lab::UciProcess::start(command);
  if (started.problem) return Error{command.name + " " + started.problem->text};
  Progress progress(command.name, suite.tasks.size());
  for (const lab::SuiteTask& task : suite.tasks) {
    std::optional<lab::UciProblem> problem;
    if (!in.keep_table) problem = started.process->new_game();
    const lab::TaskResult result =
        problem ? lab::TaskResult{} : lab::solve(*started.process, task, go_command(in), problem);
    score.add(task, result);
    std::string opinion;
    if (judge.is_there() && !result.solved) {
      auto asked = judge.look_at(task, result.answer, score);
      if (!asked.ok()) return Error{asked.error()};
      opinion = asked.take();
    }
    if (in.verbose && (!result.solved || result.wrong_mate || result.unfinished_line))
      fmt::print("{}: {}: answered {}{}{}{}{}\n", command.name, task.id, result.answer,
                 result.solved ? "" : ", not solved", opinion,
                 result.wrong_mate ? ", wrong mate" : "",
                 result.unfinished_line ? ", line without the mate" : "");
    progress.update(score.tasks);
    if (!problem) continue;
    ++score.problems;
    fmt::print("{}: {}: {}\n", command.name, task.id, problem->text);
    started = lab::UciProcess::start(command);
    if (started.problem) return Error{command.name + " " + started.problem->text};
  }
  return score;
}

double percent(std::size_t part, std::size_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void print_score(const std::string& name, const lab::SuiteScore& score, bool mates, bool judged) {
  fmt::print("{}: solved {} of {} ({:.2f} %)", name, score.solved, score.tasks,
             percent(score.solved, score.tasks));
  if (judged)
    fmt::print(", {} other answers are as good: {} ({:.2f} %)", score.as_good,
               score.solved + score.as_good, percent(score.solved + score.as_good, score.tasks));
  if (mates)
    fmt::print(", {} shortest, {} wrong mate scores, {} lines that do not end in mate",
               score.best_mates, score.wrong_mates, score.unfinished_lines);
  if (score.problems > 0) fmt::print(", {} failures of the engine", score.problems);
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace

int run_suite(Arguments arguments) {
  CLI::App app(
      "Puts the positions of a suite to engines and counts the answers: EPD with bm or am, EPD "
      "with "
      "mates (bm #5), or Lichess puzzles (CSV), plain or compressed.",
      "aleph suite");
  SuiteArguments in;
  app.add_option("file", in.file, "the suite")->required();
  app.add_option("--engine", in.engines, "as for aleph match: cmd=PROGRAM option.NAME=VALUE ...")
      ->required()
      ->expected(1, 1000);
  app.add_option("--movetime", in.move_time, "milliseconds a move [1000]");
  app.add_option("--nodes", in.nodes, "nodes a move instead");
  app.add_option("--depth", in.depth, "plies instead");
  app.add_option("--limit", in.limit, "so many tasks, drawn at random [all]");
  app.add_option("--seed", in.seed, "for the draw")->capture_default_str();
  app.add_option("--judge", in.judge,
                 "an engine that says whether answers other than those asked for are as good")
      ->expected(1, 1000);
  app.add_option("--judge-nodes", in.judge_nodes, "that it thinks about each of the two")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_flag("--keep-table", in.keep_table,
               "do not tell the engine that each task is a new game: it may remember the others");
  app.add_flag("--verbose", in.verbose, "name the tasks that were not solved");
  if (const auto over = parse_arguments(app, arguments)) return *over;

  const auto fail = [](const std::string& sentence) {
    fmt::print(stderr, "aleph suite: {}\n", sentence);
    return kFailed;
  };
  auto read = lab::read_suite(in.file);
  if (!read.ok()) return fail(read.error());
  lab::Suite suite = read.take();
  for (const std::string& sentence : suite.skipped) fmt::print(stderr, "skipped {}\n", sentence);
  if (in.limit > 0 && in.limit < suite.tasks.size()) {
    Rng rng(in.seed);
    for (std::size_t left = suite.tasks.size(); left > 1; --left)
      std::swap(suite.tasks[left - 1], suite.tasks[static_cast<std::size_t>(rng.below(left))]);
    suite.tasks.resize(in.limit);
  }
  const bool mates =
      std::ranges::any_of(suite.tasks, [](const auto& task) { return task.mate != 0; });
  auto started = Judge::start(in);
  if (!started.ok()) return fail(started.error());
  Judge judge = started.take();
  for (const auto& words : in.engines) {
    const auto engine = engine_of(words);
    if (!engine.ok()) return fail(engine.error());
    const auto score = run_engine(engine.value(), suite, in, judge);
    if (!score.ok()) return fail(score.error());
    print_score(engine.value().name, score.value(), mates, judge.is_there());
  }
  return kDone;
}

}  // namespace aleph::apps
