#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/result.h"
#include "nets/weights/net_file.h"

namespace aleph::apps {

// Positions on which a network is looked at before its weights are rounded.
struct CalibrationRequest {
  std::string positions;  // a file; empty: those of the bench
  int count = 256;  // if there are fewer, games go on from them by the network's moves. 0: none
};

// The same network with weights of 8 bits (nets/executor/quantize.h).
Result<nets::NetFile> calibrated_int8(const nets::NetFile& file, const CalibrationRequest& request);

// aleph net quantize. The network: a file or a name.
int quantize_network(const std::string& network, const std::filesystem::path& target,
                     const CalibrationRequest& request);

}  // namespace aleph::apps
