// Tunes the options of an engine by games against itself. After each update it writes
//   STATE   what is needed to go on (JSON)
//   CSV     a line: pairs, wins, draws and losses of the trial, all numbers after it
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "base/result.h"
#include "lab/match/settings.h"
#include "lab/spsa/spsa.h"
#include "lab/statistics.h"

namespace aleph::lab {

struct SpsaSettings {
  MatchSettings match;  // of two engines, which are the same but for their names
  std::vector<SpsaParameter> parameters;
  SpsaSchedule schedule;         // with the pairs of the whole tuning
  std::uint64_t pairs_each = 8;  // between two updates
  std::uint64_t seed = 1;
  std::string state_file, csv_file;  // empty: none
  bool resume = false;
};

struct SpsaProgress {
  std::uint64_t pairs = 0;
  Wdl games;                 // of this trial, for plus
  std::uint64_t faults = 0;  // games of the trial that an engine lost by a fault of its own
  const std::vector<SpsaParameter>* parameters = nullptr;
};

struct SpsaEnd {
  std::vector<SpsaParameter> parameters;
  std::uint64_t pairs = 0;
  bool interrupted = false;
};

// Plays one trial; tests have their own.
using SpsaPlay = std::function<Result<SpsaProgress>(const MatchSettings& match)>;

Result<SpsaEnd> run_spsa(const SpsaSettings& settings,
                         const std::function<void(const SpsaProgress&)>& listener,
                         const Interrupt& interrupt);
// The same with another way to play.
Result<SpsaEnd> run_spsa(const SpsaSettings& settings, const SpsaPlay& play,
                         const std::function<void(const SpsaProgress&)>& listener,
                         const Interrupt& interrupt);

}  // namespace aleph::lab
