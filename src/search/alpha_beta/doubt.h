// How unsure the evaluation is, and what that changes. Part of worker_body.h.
//
// An evaluator that knows its quantiles (eval::KnowsDoubt) is asked for them, at nodes where the
// answer can matter; margins, reductions, windows and time then follow the distance of the outer
// quantiles from the evaluation. For other evaluators everything here is nothing, when compiled.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "search/alpha_beta/worker.h"

namespace aleph::search {

// Of the position on the board, whose evaluation must be the last that was asked for, or is asked
// again: that costs another run of the network. Not in check.
template <eval::IncrementalEvaluator E>
Doubt Worker<E>::ask_doubt() {
  Doubt doubt;
  if constexpr (kDoubts) {
    const eval::Quantiles quantiles = evaluator_.quantiles(position_);
    const Score value = evaluator_.evaluate(position_);
    const int usual = params_.doubt_usual + std::abs(value.units()) * params_.doubt_slope / 1024;
    const auto compared = [usual](int distance) {
      return std::clamp((distance - usual) * 1024 / usual, Doubt::kLeast, Doubt::kMost);
    };
    doubt.below = compared(value - quantiles.q10);
    doubt.above = compared(quantiles.q90 - value);
    doubt.whole = compared((quantiles.q90 - quantiles.q10) / 2);
  }
  return doubt;
}

// Near the leaves only where it is remembered or the features are at hand: where the evaluation
// came from the table, they would cost more than the answer is worth, and the doubt is taken for
// the usual one.
template <eval::IncrementalEvaluator E>
Doubt Worker<E>::doubt_of([[maybe_unused]] Visit& visit) {
  if constexpr (kDoubts) {
    if (!visit.doubt) visit.doubt = doubts_.find(visit.key);
    if (!visit.doubt) {
      const bool worth_it =
          visit.depth >= params_.doubt_moves_depth || evaluator_.remembers(position_);
      visit.doubt = worth_it ? ask_doubt() : Doubt{};
      if (worth_it) doubts_.keep(visit.key, *visit.doubt);
    }
    return *visit.doubt;
  } else {
    return {};
  }
}

// For the steps that look at moves, while the features of this node are still at hand.
template <eval::IncrementalEvaluator E>
void Worker<E>::foresee_doubt(Visit& visit) {
  if constexpr (kDoubts) {
    const bool wanted = params_.doubt_hope != 0 || params_.doubt_reduction != 0 ||
                        params_.doubt_null_reduction != 0;
    if (wanted && !visit.ply->in_check && visit.depth >= params_.doubt_moves_depth) doubt_of(visit);
  }
}

// Whether a surplus is at least a margin, to which doubt on one side adds its weight. The evaluator
// is asked only where neither the least nor the most doubt would decide alone.
template <eval::IncrementalEvaluator E>
bool Worker<E>::covers([[maybe_unused]] Visit& visit, int surplus, int margin,
                       [[maybe_unused]] int weight, [[maybe_unused]] int Doubt::*side) {
  if constexpr (kDoubts) {
    if (surplus < margin + weight * Doubt::kLeast / 1024) return false;
    if (surplus < margin + weight * Doubt::kMost / 1024)
      return surplus >= margin + weight * (doubt_of(visit).*side) / 1024;
    return true;
  } else {
    return surplus >= margin;
  }
}

template <eval::IncrementalEvaluator E>
int Worker<E>::doubt_if_known([[maybe_unused]] const Visit& visit, [[maybe_unused]] int weight,
                              [[maybe_unused]] int Doubt::*side) const {
  if constexpr (kDoubts) {
    if (visit.doubt) return weight * ((*visit.doubt).*side) / 1024;
  }
  return 0;
}

// At a leaf, doubt that is more than usual counts against passing: where it eats up what is above
// beta, captures have to prove the rest.
template <eval::IncrementalEvaluator E>
eval::Score Worker<E>::stand_pat([[maybe_unused]] Visit& visit, Score eval) {
  if constexpr (kDoubts) {
    const int surplus = eval - visit.beta;
    if (surplus < 0 || surplus >= params_.doubt_stand_pat * Doubt::kMost / 1024) return eval;
    const int doubt = params_.doubt_stand_pat * doubt_of(visit).below / 1024;
    if (doubt > surplus) return Score::from_eval(eval.units() - doubt);
  }
  return eval;
}

template <eval::IncrementalEvaluator E>
void Worker<E>::ask_root_doubt() {
  if constexpr (kDoubts) {
    root_doubt_ = {};
    root_quantiles_.reset();
    if (position_.in_check()) return;
    set_optimism(Score::draw());
    root_quantiles_ = evaluator_.quantiles(position_);
    root_doubt_ = ask_doubt();
  }
}

}  // namespace aleph::search
