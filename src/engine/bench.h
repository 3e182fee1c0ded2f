// The fingerprint of the search: fixed positions, fixed limits, and the sum of nodes. Equal sources
// give equal sums on every machine; the speed is a by-product.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "search/alpha_beta/params.h"

namespace aleph::engine {

inline constexpr std::size_t kBenchPositions = 50;
extern const std::array<std::string_view, kBenchPositions> kBenchFens;

// In the order of Stockfish's arguments.
struct BenchRequest {
  int hash_mib = 16;
  int threads = 1;
  std::uint64_t limit = 12;
  std::string positions = "default";  // "default", "current" or a file of FENs
  std::string kind = "depth";         // depth, nodes, movetime (ms), perft or eval
  std::string eval_file;
  // Not among the arguments: a session passes on what it uses.
  std::string quantile_file;
  search::SearchNumbers numbers;
};
// Words that are missing keep their defaults.
Result<BenchRequest> parse_bench(const std::vector<std::string_view>& words);

struct BenchResult {
  std::uint64_t nodes = 0;
  std::chrono::milliseconds elapsed{0};
  std::uint64_t nodes_per_second() const;
  // "2130345 nodes 1012345 nps": what OpenBench reads.
  std::string summary() const;
};

// In an engine of its own, so that nothing learned before matters. `said` hears a line per
// position.
Result<BenchResult> run_bench(const BenchRequest& request, const chess::Position& current,
                              const std::function<void(const std::string&)>& said);

}  // namespace aleph::engine
