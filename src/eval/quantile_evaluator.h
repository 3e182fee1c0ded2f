// The evaluation of a Stockfish network, and how sure it is: the network as ever, with the layers
// of a quantile network on the same features.
//
// Those layers answer what a deep search would say of a position: without optimism, and with a
// fresh clock of the fifty-move rule, since neither is among their features. The search's own
// evaluation is moved by both. So that the two can be compared, quantiles are moved along: with e
// the evaluation, and r what it would be without optimism and with a fresh clock,
//
//   quantile = e + (answer - r) * (200 - clock) / 200
//
// which is the answer itself where e is r. The formula of the version (material and so on) needs no
// other place here: the deep searches that the layers learned from had used it.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "chess/position.h"
#include "eval/evaluator.h"
#include "eval/nnue_evaluator.h"
#include "eval/quantiles.h"
#include "nnue/quantile/quantile_forward.h"

namespace aleph::eval {

// Loaded once, shared by all threads. The layers were made for the main network, and packed in the
// order that its neurons have in memory: see quantiles_for().
struct QuantileModels {
  NnueModels plain;
  std::shared_ptr<const nnue::QuantileForward> quantiles;
};

// The layers, ready to sit on the model; refused if they were made for another network.
Result<std::shared_ptr<const nnue::QuantileForward>> quantiles_for(
    const nnue::Model& model, std::shared_ptr<const nnue::QuantileNetwork> network);

// One per thread.
class QuantileEvaluator {
 public:
  static constexpr bool kKnowsDoubt = true;
  using Models = QuantileModels;

  explicit QuantileEvaluator(QuantileModels models,
                             const nnue::Kernels& kernels = nnue::best_kernels())
      : plain_(std::move(models.plain), kernels), quantiles_(std::move(models.quantiles)) {}

  // What it does may change the features that are remembered, so they are forgotten.
  NnueEvaluator& plain() {
    remembered_ = false;
    return plain_;
  }

  void push(const chess::Position& before, chess::Move move) { plain_.push(before, move); }
  void push_null(const chess::Position& before) { plain_.push_null(before); }
  void pop() { plain_.pop(); }
  void reset(const chess::Position& position) { plain_.reset(position); }
  void set_optimism(chess::Color color, int units) {
    plain_.set_optimism(color, units);
    remembered_ = false;
  }

  // As the plain evaluator says, also how: neither depends on the quantiles. The last position is
  // remembered: to ask again about it costs nothing.
  Score evaluate(const chess::Position& position) {
    if (!is_remembered(position)) look_at(position);
    return Score::from_eval(value_);
  }
  Score evaluate(const chess::Position& position, Score alpha, Score beta) {
    return plain().evaluate(position, alpha, beta);
  }

  // Whether quantiles cost their own layers alone.
  bool remembers(const chess::Position& position) const { return is_remembered(position); }
  // Not in check, as with evaluate(). Right after it, the features are there already.
  Quantiles quantiles(const chess::Position& position);

 private:
  bool is_remembered(const chess::Position& position) const {
    return remembered_ && key_ == position.key() && clock_ == position.halfmove_clock();
  }
  // Here, so that the search has it inlined: of the whole explanation it keeps three numbers.
  void look_at(const chess::Position& position) {
    const EvalParts parts = plain_.explain(position);
    raw_ = parts.raw;
    used_small_ = parts.used_small;
    value_ = parts.value;
    key_ = position.key();
    clock_ = position.halfmove_clock();
    remembered_ = true;
  }

  NnueEvaluator plain_;
  std::shared_ptr<const nnue::QuantileForward> quantiles_;
  // The last position evaluated; the main network still has its features, unless the small one
  // answered.
  bool remembered_ = false, used_small_ = false;
  int clock_ = 0, value_ = 0;
  std::uint64_t key_ = 0;
  nnue::RawOutput raw_;
};

static_assert(KnowsDoubt<QuantileEvaluator>);

}  // namespace aleph::eval
