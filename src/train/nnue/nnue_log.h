// What a training run says of itself: log.csv for people and plots, log.jsonl for programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/result.h"

namespace aleph::train {

struct NnueLogLine {
  std::uint64_t step = 0, epoch = 0, positions = 0;
  double rate = 0, loss = 0;  // the loss is the mean since the line before
  std::optional<double> validation_loss;
  double seconds = 0, positions_per_second = 0;  // of this process; since the line before
};

class NnueLog {
 public:
  // Lines of steps after `resumed_at` are removed: they will be written again. 0: a new log.
  static Result<NnueLog> open(const std::filesystem::path& folder, std::uint64_t resumed_at);
  Status add(const NnueLogLine& line);

 private:
  NnueLog(std::ofstream csv, std::ofstream json) : csv_(std::move(csv)), json_(std::move(json)) {}
  std::ofstream csv_, json_;
};

}  // namespace aleph::train
