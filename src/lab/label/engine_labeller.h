// One engine process that labels position after position.
#pragma once

#include <memory>
#include <optional>

#include "base/child_process.h"
#include "base/result.h"
#include "lab/label/label_settings.h"
#include "lab/label/position_labeller.h"
#include "lab/label/score_trail.h"
#include "lab/uci_process.h"

namespace aleph::lab {

class EngineLabeller final : public PositionLabeller {
 public:
  static constexpr int kAttempts = 3;

  // Both must outlive it.
  EngineLabeller(const LabelSettings& settings, const Interrupt& interrupt)
      : settings_(settings), interrupt_(interrupt) {}

  // The engine forgets everything before each position ("ucinewgame"), so that a label does not
  // depend on what was asked before. One that dies, does not answer in time or answers nonsense is
  // started again; after three attempts the label is only a problem.
  std::optional<Label> label(const chess::Position& position) override;

 private:
  std::optional<UciProblem> make_ready(const chess::Position& position);
  std::optional<UciProblem> ask(const chess::Position& position, Label& label);
  void fill(const ScoreTrail& trail, const chess::Position& position, Label& label) const;

  const LabelSettings& settings_;
  const Interrupt& interrupt_;
  std::unique_ptr<UciProcess> engine_;
  bool chess960_ = false;  // what the engine was told
};

// Fails if the engine does not start or cannot do what will be asked of it. The settings and the
// interrupt must outlive it.
Result<LabelSource> engine_source(const LabelSettings& settings, bool chess960,
                                  const Interrupt& interrupt);

}  // namespace aleph::lab
