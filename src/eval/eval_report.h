// An evaluation taken apart for a person: what each piece contributes, what each bucket would say,
// and how the final value came about. The layout is that of Stockfish's "eval".
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "chess/position.h"
#include "eval/classical/evaluate.h"
#include "eval/nnue_evaluator.h"
#include "eval/quantile_evaluator.h"
#include "nnue/output.h"

namespace aleph::eval {

// Values in internal units.
struct EvalReport {
  chess::Position position;
  bool in_check = false;  // then there is no final value
  EvalParts parts;
  // 15.1 and 16 only, and not in check.
  std::optional<classical::Evaluation> classical;
  int value = 0;             // the final evaluation: final_value.h
  nnue::AllBuckets buckets;  // raw, of the network that counted; side to move's view
  // How much White's value of the network that counted falls if the piece is taken off the board.
  // Nothing for kings and empty squares.
  std::array<std::optional<int>, 64> contributions{};
  int main_network = 0;  // what the main network says, also where the small one counted
  std::string network_file, network_kind;  // of the one that counted
  // How sure the evaluation is, side to move's view; not in check, and only of a quantile network.
  std::optional<Quantiles> quantiles;
};

EvalReport make_report(NnueEvaluator& evaluator, const chess::Position& position);
// With quantiles, if there are layers for them.
EvalReport make_report(const NnueModels& models,
                       std::shared_ptr<const nnue::QuantileForward> quantiles,
                       const chess::Position& position);

// Many lines, each ended. Pawns from White's view, except in the table of buckets.
std::string format_report(const EvalReport& report);

// The numbers as they are printed. In the last lines: "+0.19". In the table of buckets: "+0.19",
// but "0.00". On the board: five characters, "+0.19", "-12.3", "+123 ".
std::string line_pawns(const EvalReport& report, int units);
std::string bucket_pawns(const EvalReport& report, int units);
std::string board_pawns(const EvalReport& report, int units);

}  // namespace aleph::eval
