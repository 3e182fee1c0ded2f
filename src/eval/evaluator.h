// How a search asks "how good is this?", move by move: a concept, so that the calls are inlined.
// Evaluators of one thread; all values are for the side to move.
#pragma once

#include <concepts>

#include "chess/move.h"
#include "chess/position.h"
#include "eval/quantiles.h"
#include "eval/score.h"

namespace aleph::eval {

template <class E>
concept IncrementalEvaluator = requires(E evaluator, const chess::Position& position,
                                        chess::Move move, Score bound) {
  { evaluator.evaluate(position) } -> std::same_as<Score>;
  // May answer with an estimate if it is clear that the value lies far outside of alpha .. beta.
  { evaluator.evaluate(position, bound, bound) } -> std::same_as<Score>;
  { evaluator.quantiles(position) } -> std::same_as<Quantiles>;  // only when a step asks for doubt
  evaluator.push(position, move);  // before the move is made on the board
  evaluator.push_null(position);   // before passing
  evaluator.pop();                 // after either was taken back
  evaluator.reset(position);       // another line begins here
};

// An evaluator whose quantiles say more than its score: the search prunes by them.
template <class E>
concept KnowsDoubt = IncrementalEvaluator<E> &&
    requires(const E evaluator, const chess::Position& position) {
  requires E::kKnowsDoubt;
  { evaluator.remembers(position) } -> std::same_as<bool>;  // then quantiles are cheap
};

}  // namespace aleph::eval
