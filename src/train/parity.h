// Does the engine run what torch has learned? Part of every export, and `aleph train parity NET`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "nets/weights/net_file.h"

namespace aleph::train {

struct ParityReport {
  struct Head {
    std::string name;
    double max_difference = 0, mean_difference = 0;  // of its numbers
    double scale = 0;                                // the largest number torch gave
  };
  std::size_t positions = 0;
  std::vector<Head> heads;
  double max_difference() const;
};

// The executor of nets/ against torch on so many positions (random games from the start position,
// the same every time).
Result<ParityReport> check_parity(const nets::NetFile& network, std::size_t positions = 1000);

}  // namespace aleph::train
