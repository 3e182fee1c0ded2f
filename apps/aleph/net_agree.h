#pragma once

#include <cstdint>
#include <string>

#include "net_quantize.h"

namespace aleph::apps {

struct NetAgreeRequest {
  std::string network;    // a file or a name
  std::string positions;  // a file; empty: those of the bench
  int count = 5000;
  std::uint64_t seed = 1;
  CalibrationRequest calibration;
};

// aleph net agree: what int8, as aleph net quantize makes it, changes in a dense network's answers.
// Both precisions are asked about the same positions; if there are fewer than wanted, games go on
// from them by moves of the network.
int compare_precisions(const NetAgreeRequest& request);

}  // namespace aleph::apps
