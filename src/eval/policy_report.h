// What a network thinks of a position, for a person or for another program: its moves with their
// probabilities, and who stands better.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "chess/position.h"
#include "eval/network_evaluator.h"

namespace aleph::eval {

struct PolicyReport {
  struct Line {
    std::string san, uci;
    float probability = 0;
  };
  std::string network;  // its name
  std::string fen;
  bool white_to_move = true, in_check = false;
  NetworkAnswers answers;
  // As LeafResult has them.
  float win = 0, draw = 0, loss = 0, value = 0, moves_left = 0, think_time = 0;
  std::vector<Line> lines;  // every legal move, the likeliest first
};

PolicyReport make_policy_report(NetworkEvaluator& evaluator, const chess::Position& position,
                                const nets::GameContext& context);

// Many lines, each ended. The likeliest moves, and what the rest has together.
std::string format_report(const PolicyReport& report, std::size_t most_moves);
// One JSON object in one line, ended. What the network does not tell is null.
std::string report_to_json(const PolicyReport& report, std::size_t most_moves);

}  // namespace aleph::eval
