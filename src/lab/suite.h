// Test suites: positions with an answer, put to any UCI engine.
//
// Three kinds, told by the file: EPD with best moves (bm) or moves to avoid (am); EPD with a mate
// ("bm #5"); Lichess puzzles (CSV), where every move of the solver must be found, and any mate
// counts as well as the expected one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "chess/position.h"
#include "lab/uci_process.h"

namespace aleph::lab {

struct SuiteTask {
  std::string id;
  chess::Position position;
  std::vector<chess::Move> best, avoid;
  int mate = 0;                       // moves to mate, if that is the task; negative: to be mated
  std::vector<chess::Move> solution;  // of a puzzle: solver, opponent, solver, ...
};

struct Suite {
  std::vector<SuiteTask> tasks;
  std::vector<std::string> skipped;  // one sentence for each line that is no task
};
// The error is for a file that cannot be read, or has no task.
Result<Suite> read_suite(const std::string& file);

struct TaskResult {
  bool solved = false;
  std::string answer;            // the engine's move where it failed, or its last one
  int mate = 0;                  // of the last exact mate score; 0: none
  bool wrong_mate = false;       // shorter than possible
  bool unfinished_line = false;  // a mate score whose line does not end in mate
  double seconds = 0;
};

// `go` is a whole go command, the same for every position.
TaskResult solve(UciProcess& engine, const SuiteTask& task, const std::string& go,
                 std::optional<UciProblem>& problem);

struct SuiteScore {
  std::size_t as_good = 0;  // not solved, but no worse in a judge's view (suite_judge.h)
  std::size_t tasks = 0, solved = 0, mates = 0, best_mates = 0, wrong_mates = 0,
              unfinished_lines = 0, problems = 0;
  void add(const SuiteTask& task, const TaskResult& result);
};

}  // namespace aleph::lab
