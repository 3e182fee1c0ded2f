// The folder of a run, as rank 0 sees it.
#pragma once

#include <filesystem>
#include <optional>

#include "base/result.h"
#include "train/checkpoint_file.h"
#include "train/train_config.h"

namespace aleph::train {

// Makes the folder and puts the config into it (config.yml, and model.yml as it was understood).
// Without `resume` a folder that has a run in it is refused; with it, one of another config. The
// newest checkpoint, if the run goes on from one.
Result<std::optional<CheckpointFile>> open_run_folder(const std::filesystem::path& run,
                                                      const TrainConfig& config, bool resume);

}  // namespace aleph::train
