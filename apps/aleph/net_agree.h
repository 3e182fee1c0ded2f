#pragma once

#include <cstdint>
#include <string>

namespace aleph::apps {

struct NetAgreeRequest {
  std::string network;    // a file or a name
  std::string positions;  // a file; empty: those of the bench
  int count = 5000;
  std::uint64_t seed = 1;
};

// aleph net agree: what int8 changes in a dense network's answers. Both precisions are asked about
// the same positions; if there are fewer than wanted, games go on from them by moves of the
// network.
int compare_precisions(const NetAgreeRequest& request);

}  // namespace aleph::apps
