// Two or more networks, learned from the same samples in the same order by the same rules, and what
// a reader should conclude (seed 002, chapter 7).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "train/trainer.h"

namespace aleph::train {

struct ComparedRun {
  TrainConfig config;
  RunReport report;
};

// Refuses configs that differ in data, steps, batch, optimiser, schedule kind or seed, and names
// what differs.
Status check_comparable(const std::vector<TrainConfig>& configs);

// Tables by step, curves, parameters, cost per position, time, by phase of the game and by rating,
// and a conclusion in words that follows from the figures (with error bars).
std::string comparison_markdown(const std::vector<ComparedRun>& runs);
// The same as a page with plots; nothing outside of it is needed.
std::string comparison_html(const std::vector<ComparedRun>& runs);

}  // namespace aleph::train
