// From files of games to a dataset, by several threads, stoppable at any moment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "data/dataset/build_settings.h"
#include "data/dataset/segment.h"

namespace aleph::data {

struct BuildProgress {
  std::uint64_t file_bytes = 0, all_file_bytes = 0;  // of the files as they lie on disk
  std::uint64_t rows = 0;                            // written by this run
};

struct BuildReport {
  BuildCounts counts;
  std::vector<std::uint64_t> rows;    // by split
  std::vector<std::string> problems;  // bad games, a sentence each, not necessarily all
  std::uint64_t rows_of_this_run = 0;
  bool was_complete = false;  // nothing was left to do
};

// The result does not depend on the number of workers, nor on how often the work was stopped and
// begun again.
Result<BuildReport> build_dataset(const BuildSettings& settings, const std::filesystem::path& out,
                                  std::size_t workers,
                                  const std::function<void(const BuildProgress&)>& on_progress);

}  // namespace aleph::data
