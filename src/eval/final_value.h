// What a version of Stockfish would answer in the end, its classical evaluation included.
#pragma once

#include "chess/position.h"
#include "eval/formula.h"
#include "eval/nnue_evaluator.h"

namespace aleph::eval {

// The final evaluation in internal units, side to move's view. Where 15.1 and 16 turn to their
// classical evaluation, so does this, while a search keeps to the network (parts.value). In check,
// where no version evaluates, it is parts.value.
int final_value(const EvalParts& parts, const chess::Position& position);

inline int final_value(NnueEvaluator& evaluator, const chess::Position& position) {
  return final_value(evaluator.explain(position), position);
}

}  // namespace aleph::eval
