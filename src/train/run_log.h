// What a run writes down while it goes on, for people and for programs:
//
//   RUN/log.csv, RUN/log.jsonl           a line per entry
//   RUN/events.out.tfevents.*            for TensorBoard
//   RUN/index.html                       curves of loss and accuracy; loads itself again
//
// A run that goes on after a stop continues its files: entries behind the step are cut away.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace aleph::train {

struct LogEntry {
  enum class Kind : std::uint8_t { Train, Validation } kind = Kind::Train;
  std::uint64_t step = 0, samples = 0;
  double seconds = 0;                                   // of the run, stops not counted
  std::vector<std::pair<std::string, double>> numbers;  // "loss", "rate", "legal1" ...
};

class RunLog {
 public:
  // after_step: entries up to this step stay.
  static Result<std::unique_ptr<RunLog>> open(const std::filesystem::path& run,
                                              const std::string& title, std::uint64_t after_step);
  virtual ~RunLog() = default;
  virtual Status add(const LogEntry& entry) = 0;
  virtual const std::vector<LogEntry>& entries() const = 0;
};

}  // namespace aleph::train
