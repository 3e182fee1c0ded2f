#include "lab/analyse/band_oracle.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "eval/formula.h"
#include "eval/wdl.h"
#include "nnue/net_store.h"
#include "nnue/quantile/quantile_file.h"
#include "nnue/quantile/quantile_forward.h"

namespace aleph::lab {

Result<BandOracle> BandOracle::open(const std::string& quantiles, const std::string& base) {
  auto loaded = nnue::load_quantile_network(quantiles);
  if (!loaded.ok()) return Error{loaded.error()};
  auto network = std::make_shared<const nnue::QuantileNetwork>(loaded.take());
  const std::string name =
      base.empty() ? "nn-" + network->base_sha256.substr(0, 12) + ".nnue" : base;
  const auto source = nnue::find_network(name, nnue::NetworkPlaces::of_this_machine());
  if (!source.ok()) return Error{source.error()};
  auto read = nnue::load_network(source.value());
  if (!read.ok()) return Error{read.error()};
  auto frozen = std::make_shared<const nnue::Network>(read.take());
  if (frozen->sha256 != network->base_sha256)
    return Error{fmt::format("{} sits on nn-{}.nnue, not on {}", quantiles,
                             network->base_sha256.substr(0, 12), frozen->file_name())};
  return BandOracle(std::make_shared<const nnue::Model>(std::move(frozen)), std::move(network));
}

BandOracle::BandOracle(std::shared_ptr<const nnue::Model> base,
                       std::shared_ptr<const nnue::QuantileNetwork> quantiles)
    : quantiles_(std::move(quantiles)),
      evaluator_(std::make_unique<nnue::Evaluator>(std::move(base))) {}

Band BandOracle::band(const chess::Position& position) {
  const nnue::RawOutput raw = evaluator_->evaluate(position);
  const auto bucket = static_cast<std::size_t>(nnue::bucket_for(position.occupied().count()));
  const nnue::QuantileLogits logits = nnue::quantile_logits_slow(
      quantiles_->stacks[bucket], quantiles_->width, evaluator_->transformed(position).data());
  const eval::WdlModel& model = eval::wdl_model(eval::version_of(evaluator_->model().network()));
  const eval::GamePhase phase = eval::GamePhase::of(position);
  const bool white = position.side_to_move() == chess::Color::White;
  Band band;
  for (std::size_t k = 0; k < logits.size(); ++k) {
    // What is nearly the best for Black is nearly the worst for White.
    const int own = nnue::quantile_units((raw.psqt + raw.positional) / 16, logits[k]);
    const int units = white ? own : -own;
    const std::size_t place = white ? k : logits.size() - 1 - k;
    band.expected[place] = 1 / (1 + std::exp(-static_cast<double>(units) / nnue::kQuantileScale));
    band.centipawns[place] = model.centipawns(units, phase);
  }
  return band;
}

}  // namespace aleph::lab
