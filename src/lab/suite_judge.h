// A second opinion on what a suite counts as wrong. Old suites name one move where several win: a
// judge, any strong UCI engine, says whether an answer is worth as much as the move that was asked
// for.
#pragma once

#include <optional>
#include <string>

#include "lab/suite.h"
#include "lab/uci_info.h"
#include "lab/uci_process.h"

namespace aleph::lab {

struct Judgement {
  UciScore answer, expected;  // the judge's scores of both, for the side to move
  bool is_as_good = false;    // the answer is worth no less, in points of the game
};

// Points per game that a score promises, 0 to 1, on the scale of Stockfish since 15.1, where +100
// centipawns win every second game. A mate is the whole point.
double points_of(const UciScore& score);

// Up to two hundredths of a point are no difference: of two moves that win, neither is wrong.
bool is_as_good(const UciScore& answer, const UciScore& expected);

// `answer` is the move that failed the task; `limit` says how long the judge thinks about it, and
// again about the moves that were asked for: "nodes 1000000". Nothing for tasks other than best
// moves (bm) and moves to avoid (am), for an answer that is no legal move, or if the judge fails:
// then `problem` tells.
std::optional<Judgement> judge(UciProcess& engine, const SuiteTask& task, const std::string& answer,
                               const std::string& limit, std::optional<UciProblem>& problem);

}  // namespace aleph::lab
