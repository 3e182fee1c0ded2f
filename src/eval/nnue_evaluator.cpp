#include "eval/nnue_evaluator.h"

#include <algorithm>
#include <cstdlib>

namespace aleph::eval {

using chess::Position;
using enum StockfishVersion;

namespace {

// The formulas take something off for every half-move without progress; beyond this one of them
// would take more than there is.
constexpr int kLongestClock = 195;

// Where 15.1 and 16 turn to their classical evaluation.
bool is_classical_in_stockfish(const EvalParts& parts, const Position& position) {
  if (parts.version == V15_1)
    return position.occupied().count() > 7 && std::abs(parts.classical) > 1760;
  return parts.version == V16 && std::abs(parts.classical) > 2048;
}

}  // namespace

std::optional<std::string_view> small_companion(const nnue::Network& network) {
  switch (version_of(network)) {
    case V16_1: return "nn-baff1ede1f90.nnue";
    case V17:
    case V17_1: return "nn-37f18f62d772.nnue";
    case V18:
      if (network.architecture.threats == nnue::ThreatKind::None)
        return std::nullopt;  // lite, small
      return "nn-37f18f62d772.nnue";
    default: return std::nullopt;
  }
}

NnueEvaluator::NnueEvaluator(NnueModels models, const nnue::Kernels& kernels)
    : main_(std::move(models.main), kernels), version_(version_of(main_.model().network())) {
  if (models.small) small_.emplace(std::move(models.small), kernels);
}

EvalParts NnueEvaluator::start_parts(const Position& position) {
  EvalParts parts;
  parts.version = version_;
  parts.bucket = nnue::bucket_for(position.occupied().count());
  parts.material = Material::of(position);
  parts.optimism = optimism_[chess::index(position.side_to_move())];
  parts.halfmove_clock = std::min(position.halfmove_clock(), kLongestClock);
  if (version_ <= V16) {
    parts.classical = end_game_sum_.of(position);
    parts.classical_in_stockfish = is_classical_in_stockfish(parts, position);
  }
  return parts;
}

EvalParts NnueEvaluator::explain(const Position& position) {
  EvalParts parts = start_parts(position);
  if (small_ && prefers_small(version_, parts.material)) {
    parts.raw = small_->evaluate(position);
    parts.used_small = true;
    blend(parts);
    if (wants_second_opinion(parts)) {
      parts.used_small = false;
      parts.asked_small_first = true;
    }
  }
  if (!parts.used_small) parts.raw = main_.evaluate(position);
  finish(parts, position.key());
  return parts;
}

EvalParts NnueEvaluator::explain(const Position& position, nnue::RawOutput known) {
  EvalParts parts = start_parts(position);
  parts.raw = known;
  finish(parts, position.key());
  return parts;
}

Score NnueEvaluator::evaluate(const Position& position, Score alpha, Score beta) {
  const int psqt = main_.psqt(position) / 16;
  const bool high = psqt > beta.units() + kLazyMargin, low = psqt < alpha.units() - kLazyMargin;
  if (high || low) {
    // Where the psqt part is so large, the layers take back a third of it on average.
    const Score guess = Score::from_eval(psqt * 2 / 3);
    if (high ? guess > beta : guess < alpha) return guess;
  }
  return evaluate(position);
}

}  // namespace aleph::eval
