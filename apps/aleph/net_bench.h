#pragma once

#include <string>
#include <vector>

#include "cache_bench.h"

namespace aleph::apps {

struct NetBenchRequest {
  std::string network;  // a file or a name
  std::vector<int> batches{1, 2, 4, 8, 16, 32};
  std::vector<std::string> precisions{"fp32", "int8"};
  double seconds = 1;  // for each line
  bool tsv = false;

  bool only_cache = false;  // then with the first precision
  CacheBenchRequest cache;  // its seconds and tsv are those above
};

// aleph net bench: how long a dense network takes, by precision and batch; or what a hit of the
// cache costs. Processor time of one thread.
int bench_network(const NetBenchRequest& request);

}  // namespace aleph::apps
