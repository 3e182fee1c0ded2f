#include "eval/quantile_evaluator.h"

#include <algorithm>
#include <array>

#include "nnue/quantile/quantile_file.h"

namespace aleph::eval {

using chess::Position;

Result<std::shared_ptr<const nnue::QuantileForward>> quantiles_for(
    const nnue::Model& model, std::shared_ptr<const nnue::QuantileNetwork> network) {
  if (const Status fits = nnue::check_base(*network, model.network()); !fits.ok())
    return Error{fits.error()};
  return std::make_shared<const nnue::QuantileForward>(std::move(network),
                                                       model.network().neuron_order);
}

Quantiles QuantileEvaluator::quantiles(const Position& position) {
  constexpr int kWholeClock = 200;  // half-moves; beyond it no formula leaves anything of a value
  if (!is_remembered(position)) look_at(position);
  const EvalParts parts = used_small_ ? plain_.explain(position) : plain_.explain(position, raw_);
  nnue::Evaluator& main = plain_.main_network();
  const nnue::RawOutput raw = used_small_ ? main.evaluate(position) : raw_;
  const int base = nnue::base_units(raw);
  const nnue::QuantileLogits logits = quantiles_->logits(parts.bucket, main.features());

  EvalParts fresh = parts;
  fresh.optimism = fresh.halfmove_clock = 0;
  if (parts.optimism != 0 || parts.halfmove_clock != 0) finish(fresh, position.key());
  std::array<Score, nnue::kQuantiles> scores;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const int above = nnue::quantile_units(base, logits[k]) - fresh.value;
    // Far outside of what an evaluation can be, the product might not fit.
    const int sensible = std::clamp(above, -4 * Score::kMaxEvaluation, 4 * Score::kMaxEvaluation);
    scores[k] = Score::from_eval(parts.value +
                                 sensible * (kWholeClock - parts.halfmove_clock) / kWholeClock);
  }
  return {scores[0], scores[1], scores[2], scores[3], scores[4]};
}

}  // namespace aleph::eval
