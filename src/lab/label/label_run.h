// Positions in, rows of the schema "score" out: what an engine or a network thinks of each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "base/result.h"
#include "lab/label/label_settings.h"
#include "lab/label/positions.h"
#include "lab/segments/cluster.h"

namespace aleph::lab {

struct LabelReport {
  std::string source;  // the engine as it calls itself, or which network from where
  std::uint64_t positions = 0, rows = 0, skipped = 0;  // of the whole dataset, so far
  std::vector<std::string> problems;                   // positions without a label, a sentence each
  std::uint64_t repeated = 0;  // in this run, by this process: equal to one asked before
  bool was_complete = false;   // nothing was left to do
  bool stopped = false;        // by the interrupt; started again, it goes on
};

// Called for every position, by one thread at a time.
using LabelProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

// The rows are the same, and in the order of the positions, whatever the number of processes and
// however often the work was stopped and begun again; if the engine gives the same answer to the
// same question, that is: with a fixed time, or several threads, engines do not.
//
// Fails if the engine does not start or the network cannot be read, or if the engine fails at ten
// positions in a row. It may raise the interrupt itself.
Result<LabelReport> label_positions(const PositionList& positions, const LabelSettings& settings,
                                    const std::filesystem::path& out, Cluster& cluster,
                                    const Interrupt& interrupt, const LabelProgress& on_progress);

}  // namespace aleph::lab
