// A network of ours as labeller: its static evaluation, without a search and without a process.
#pragma once

#include <optional>

#include "base/child_process.h"
#include "base/result.h"
#include "eval/nnue_evaluator.h"
#include "lab/label/label_settings.h"
#include "lab/label/position_labeller.h"

namespace aleph::lab {

// The score is the final evaluation that "aleph eval" prints, in centipawns, at depth 0. A position
// in check, of which that prints none, has what the same formula makes of the network's output.
// A plain score is the network's own value instead, in internal units, before any formula.
class NetLabeller final : public PositionLabeller {
 public:
  // The interrupt must outlive it.
  NetLabeller(eval::NnueModels models, bool plain, const Interrupt& interrupt)
      : evaluator_(std::move(models)), plain_(plain), interrupt_(interrupt) {}

  std::optional<Label> label(const chess::Position& position) override;

 private:
  int number(const chess::Position& position);

  eval::NnueEvaluator evaluator_;
  bool plain_;
  const Interrupt& interrupt_;
};

// Loads settings.network, once for all threads. The interrupt must outlive it.
Result<LabelSource> net_source(const LabelSettings& settings, const Interrupt& interrupt);

}  // namespace aleph::lab
