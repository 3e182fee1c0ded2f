#include "chess/perft.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "chess/fen.h"
#include "support/shared_data.h"
#include "support/zstd_text.h"

using namespace aleph;
using namespace aleph::chess;
using namespace aleph::test;

namespace {

struct PerftCase {
  std::string fen;
  std::vector<std::pair<int, std::uint64_t>> counts;  // depth, nodes
};

// "FEN ;D1 20 ;D2 400"
PerftCase parse_epd_case(const std::string& line) {
  PerftCase test;
  std::size_t begin = line.find(';');
  test.fen = line.substr(0, begin);
  while (begin != std::string::npos) {
    int depth = 0;
    unsigned long long nodes = 0;
    REQUIRE(std::sscanf(line.c_str() + begin, "; D%d %llu", &depth, &nodes) == 2);
    test.counts.emplace_back(depth, nodes);
    begin = line.find(';', begin + 1);
  }
  return test;
}

// Either that, a line each, or blocks of "id", "epd FEN", "perft DEPTH NODES".
std::vector<PerftCase> parse_cases(const std::vector<std::string>& lines) {
  std::vector<PerftCase> cases;
  for (const std::string& line : lines) {
    int depth = 0;
    unsigned long long nodes = 0;
    if (line.empty() || line[0] == '#' || line.starts_with("id ")) continue;
    if (line.starts_with("epd ")) {
      cases.push_back({line.substr(4), {}});
    } else if (std::sscanf(line.c_str(), "perft %d %llu", &depth, &nodes) == 2) {
      REQUIRE(!cases.empty());
      cases.back().counts.emplace_back(depth, nodes);
    } else {
      cases.push_back(parse_epd_case(line));
    }
  }
  return cases;
}

std::vector<PerftCase> own_cases() {
  std::ifstream in(tests_data() / "perft" / "standard.epd");
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return parse_cases(lines);
}

std::vector<PerftCase> shared_cases(const std::filesystem::path& shared) {
  std::vector<PerftCase> cases;
  for (const char* folder : {"perft", "frc"})
    for (const auto& entry : std::filesystem::directory_iterator(shared / "data/suites" / folder)) {
      const auto more = parse_cases(read_zstd_lines(entry.path()));
      cases.insert(cases.end(), more.begin(), more.end());
    }
  return cases;
}

struct Totals {
  std::atomic<std::uint64_t> nodes{0}, positions{0}, illegal{0}, wrong{0};
};

// Two of the suites are one collection in two formats; counting it once is enough for the long
// test.
std::vector<PerftCase> without_twins(const std::vector<PerftCase>& cases) {
  std::set<std::string> seen;
  std::vector<PerftCase> kept;
  for (const PerftCase& test : cases) {
    std::string name;
    for (const std::string_view word : split_words(test.fen)) {
      if (std::count(name.begin(), name.end(), ' ') == 4) break;  // the clocks do not matter
      name += std::string(word) + ' ';
    }
    for (const auto& [depth, nodes] : test.counts) name += fmt::format("{}:{} ", depth, nodes);
    if (seen.insert(name).second) kept.push_back(test);
  }
  return kept;
}

// Each position at its deepest count of at most `most_nodes`, and with `all_depths` at every one.
void run_case(const PerftCase& test, std::uint64_t most_nodes, bool all_depths, Totals& totals) {
  const Result<Position> position = parse_fen(test.fen);
  if (!position.ok()) {
    ++totals.illegal;
    fmt::print("skipped, not legal: {} ({})\n", test.fen, position.error());
    return;
  }
  ++totals.positions;
  bool done = false;
  for (auto count = test.counts.rbegin(); count != test.counts.rend(); ++count) {
    const auto [depth, nodes] = *count;
    if (nodes > most_nodes || (done && !all_depths)) continue;
    done = true;
    totals.nodes += nodes;
    PerftCache cache(nodes > 10'000'000 ? 128 : 0);  // small counts are quicker without
    const bool remember = all_depths && nodes > 10'000'000;
    const std::uint64_t found = perft(position.value(), depth, remember ? &cache : nullptr);
    if (found != nodes) {
      ++totals.wrong;
      fmt::print("{} depth {}: {} instead of {}\n", test.fen, depth, found, nodes);
    }
  }
}

void check_shared(std::uint64_t most_nodes, bool all_depths, std::uint64_t least_total) {
  const auto shared = shared_data_or_skip("perft suites");
  if (!shared) return;
  std::vector<PerftCase> cases = shared_cases(*shared);
  if (all_depths) cases = without_twins(cases);
  Totals totals;
  ThreadPool pool(1);  // parallel_for works on the calling thread too
  Progress progress("perft positions", cases.size());
  std::uint64_t done = 0;
  std::mutex mutex;
  pool.parallel_for(cases.size(), [&](std::size_t i) {
    run_case(cases[i], most_nodes, all_depths, totals);
    const std::lock_guard lock(mutex);
    progress.update(++done);
  });
  MESSAGE(totals.positions.load() << " positions, " << totals.nodes.load() << " nodes, "
                                  << totals.illegal.load() << " illegal positions skipped");
  CHECK(totals.wrong == 0);
  CHECK(totals.positions > (all_depths ? 7'000 : 14'000));
  CHECK(totals.illegal < 5);
  CHECK(totals.nodes >= least_total);
}

}  // namespace

TEST_CASE("perft matches the published counts of well-known positions") {
  for (const PerftCase& test : own_cases()) {
    INFO(test.fen);
    const Position position = parse_fen(test.fen).take();
    for (const auto& [depth, nodes] : test.counts) CHECK(perft(position, depth) == nodes);
  }
}

TEST_CASE("counting on copied boards and making every move agree") {
  for (const PerftCase& test : own_cases()) {
    INFO(test.fen);
    Position position = parse_fen(test.fen).take();
    for (const auto& [depth, nodes] : test.counts)
      if (nodes < 1'500'000) CHECK(perft_by_making(position, depth) == nodes);
  }
}

TEST_CASE("divide adds up to the whole, whatever the number of threads") {
  const Position position = parse_fen(own_cases()[1].fen).take();
  for (const std::size_t threads : {1, 2, 3})
    for (const bool bulk : {true, false}) {
      std::uint64_t total = 0;
      const auto entries = perft_divide(position, 3, {bulk, threads, 0});
      for (const PerftEntry& entry : entries) total += entry.nodes;
      CHECK(entries.size() == 48);
      CHECK(total == 97'862);
    }
}

TEST_CASE("remembering counts changes none, however small the memory") {
  for (const PerftCase& test : own_cases()) {
    INFO(test.fen);
    const Position position = parse_fen(test.fen).take();
    for (const std::size_t mebibytes : {0, 1, 16}) {
      PerftCache cache(mebibytes);
      for (const auto& [depth, nodes] : test.counts) CHECK(perft(position, depth, &cache) == nodes);
    }
  }
}

TEST_CASE("perft matches the shared suites") { check_shared(100'000, false, 100'000'000); }

TEST_SUITE("long") {
  TEST_CASE("perft matches the shared suites at every depth") {
    check_shared(~std::uint64_t{0}, true, 1'000'000'000);
  }
}
