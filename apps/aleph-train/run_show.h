// A run on the terminal: a bar while it learns, a line for each validation, figures at the end.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "train/trainer.h"

namespace aleph::apps {

// Where a run goes if nobody says: runs/NAME.
std::filesystem::path default_run_folder(const train::TrainConfig& config);

// Trains and shows it, if `is_shown` (one process of a group is enough).
Result<train::RunReport> run_and_show(const train::TrainConfig& config, train::RunOptions options);

// What is left to say when a run is over.
void print_report(const train::RunReport& report);

}  // namespace aleph::apps
