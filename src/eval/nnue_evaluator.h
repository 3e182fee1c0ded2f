// Static evaluation by Stockfish networks: the network's raw output through the formula of the
// version it belongs to. Versions 16.1 to 18 have a second, small network for positions with much
// imbalance.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "chess/position.h"
#include "eval/classical/piece_square.h"
#include "eval/evaluator.h"
#include "eval/formula.h"
#include "eval/quantiles.h"
#include "eval/score.h"
#include "nnue/evaluator.h"

namespace aleph::eval {

// Loaded once, shared by all threads.
struct NnueModels {
  std::shared_ptr<const nnue::Model> main;
  std::shared_ptr<const nnue::Model> small;  // null: the main network answers always
};

// The file name of the small network that Stockfish ships with this one; nothing if it has none.
std::optional<std::string_view> small_companion(const nnue::Network& network);

// One per thread.
class NnueEvaluator {
 public:
  using Models = NnueModels;

  explicit NnueEvaluator(NnueModels models, const nnue::Kernels& kernels = nnue::best_kernels());

  StockfishVersion version() const { return version_; }
  const nnue::Model& main_model() const { return main_.model(); }
  // For raw outputs and transformed features.
  nnue::Evaluator& main_network() { return main_; }
  nnue::Evaluator* small_network() { return small_ ? &*small_ : nullptr; }

  // push and pop make evaluations fast; the answers do not depend on them.
  void push(const chess::Position& before, chess::Move) { push_null(before); }
  void push_null(const chess::Position& before) {
    main_.push(before);
    if (small_) small_->push(before);
  }
  void pop() {
    main_.pop();
    if (small_) small_->pop();
  }
  void reset(const chess::Position&) {
    main_.reset();
    if (small_) small_->reset();
  }

  // A bias of the search for the side that has it: Stockfish sets it from the score at the root.
  void set_optimism(chess::Color color, int units) { optimism_[chess::index(color)] = units; }

  // The side to move must not be in check: no version was made for that.
  Score evaluate(const chess::Position& position) {
    return Score::from_eval(explain(position).value);
  }
  // If the network's piece-square part alone is far outside alpha .. beta, an estimate made from
  // it; else the evaluation.
  Score evaluate(const chess::Position& position, Score alpha, Score beta);
  Quantiles quantiles(const chess::Position& position) {
    return Quantiles::certain(evaluate(position));
  }
  EvalParts explain(const chess::Position& position);
  // The same where the main network's output is known already, and decided.
  EvalParts explain(const chess::Position& position, nnue::RawOutput known);

  // How far outside, in internal units: about five pawns. Measured on children of positions from
  // master games, windows of 60 units: one in twenty is answered so, of which 1 to 3 % wrongly.
  static constexpr int kLazyMargin = 1800;

 private:
  EvalParts start_parts(const chess::Position& position);

  nnue::Evaluator main_;
  std::optional<nnue::Evaluator> small_;
  classical::EndGameSum end_game_sum_;
  StockfishVersion version_;
  std::array<int, chess::kColors> optimism_{};
};

static_assert(IncrementalEvaluator<NnueEvaluator>);

}  // namespace aleph::eval
