#include "cache_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/mapped_file.h"
#include "base/progress.h"
#include "base/text.h"
#include "cache_walk.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "engine/bench.h"
#include "eval/cached_evaluator.h"
#include "stopwatch.h"

namespace aleph::apps {

namespace {

constexpr std::size_t kBatch = kCacheBenchBatch;

using Positions = std::vector<chess::Position>;

Result<Positions> read_positions(const std::string& file) {
  const auto mapped = MappedFile::open(file);
  if (!mapped.ok()) return Error{mapped.error()};
  Positions positions;
  int number = 0;
  for (std::string_view rest = mapped.value().text(); !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (chess::is_epd_comment(line)) continue;
    const auto epd = chess::parse_epd(line);
    auto position = epd.ok() ? chess::Position::from(epd.value().setup)
                             : Result<chess::Position>(Error{epd.error()});
    if (!position.ok()) return Error{fmt::format("{}:{}: {}", file, number, position.error())};
    positions.push_back(position.take());
  }
  if (positions.empty()) return Error{file + ": there is no position in it"};
  return positions;
}

Positions bench_positions() {
  Positions positions;
  for (const std::string_view fen : engine::kBenchFens)
    positions.push_back(chess::parse_fen(fen).take());
  return positions;
}

struct Figures {
  eval::CacheStatistics walk;                   // what the walk met
  double hit = 0, evaluation = 0, batched = 0;  // seconds
};

// Of all answers that are still there, one after the other, in the order in which the walk asked.
double time_of_hit(const std::vector<Asked>& asked, eval::CachedEvaluator& cached,
                   const eval::LeafCache& cache, double seconds) {
  eval::LeafResult result;
  std::vector<eval::Leaf> known;
  for (const Asked& each : asked) {
    const eval::Leaf leaf = each.leaf();
    if (cache.find(cached.key(leaf), leaf.moves.size(), result)) known.push_back(leaf);
  }
  if (known.empty()) return 0;
  const double all = best_time(seconds, [&] {
    for (const eval::Leaf& leaf : known) cached.evaluate({&leaf, 1}, {&result, 1});
  });
  return all / static_cast<double>(known.size());
}

void time_evaluations(const std::vector<Asked>& asked, eval::NetworkEvaluator& evaluator,
                      double seconds, Figures& figures) {
  std::vector<eval::Leaf> leaves;
  for (std::size_t i = 0; i < kBatch; ++i) leaves.push_back(asked[i % asked.size()].leaf());
  std::vector<eval::LeafResult> results(kBatch);
  std::size_t next = 0;
  figures.evaluation = best_time(seconds, [&] {
    evaluator.evaluate({&leaves[next++ % kBatch], 1}, std::span(results).first(1));
  });
  figures.batched = best_time(seconds, [&] { evaluator.evaluate(leaves, results); }) / kBatch;
}

void print(const CacheBenchRequest& request, const Figures& figures) {
  const eval::CacheStatistics& walk = figures.walk;
  if (request.tsv) {
    fmt::print("{}\t{}\t{:.4f}\t{:.4f}\t{:.4f}\t{}\t{}\n", walk.lookups, walk.hits,
               1e6 * figures.hit, 1e6 * figures.evaluation, 1e6 * figures.batched, walk.bytes_used,
               walk.bytes);
    return;
  }
  constexpr double kMebibyte = 1 << 20;
  fmt::print("{:<22}{:>12}\n", "positions asked about", with_thousands(walk.lookups));
  fmt::print("{:<22}{:>12}  {:.1f} %\n", "hits", with_thousands(walk.hits), 100 * walk.hit_rate());
  if (figures.hit > 0)
    fmt::print("{:<22}{:>9.3f} us  {:.3f} % of an evaluation alone, {:.3f} % of one in a batch\n",
               "a hit, with its key", 1e6 * figures.hit, 100 * figures.hit / figures.evaluation,
               100 * figures.hit / figures.batched);
  fmt::print("{:<22}{:>9.1f} us  alone, {:.1f} us in batches of {}\n", "an evaluation",
             1e6 * figures.evaluation, 1e6 * figures.batched, kBatch);
  fmt::print("{:<22}{:>8.1f} MiB  of {:.1f} MiB, {} answers\n", "memory",
             static_cast<double>(walk.bytes_used) / kMebibyte,
             static_cast<double>(walk.bytes) / kMebibyte, with_thousands(walk.answers));
}

}  // namespace

Status bench_cache(const CacheBenchRequest& request, eval::NetworkEvaluator& evaluator) {
  Positions positions = bench_positions();
  if (!request.positions.empty()) {
    auto read = read_positions(request.positions);
    if (!read.ok()) return Error{read.error()};
    positions = read.take();
  }
  eval::LeafCache cache(static_cast<std::size_t>(request.mebibytes) << 20);
  eval::CachedEvaluator cached(evaluator, cache);
  CacheWalk walk(cached);
  for (chess::Position& position : positions) {
    const chess::Move move = walk.search(position, request.visits);
    if (!move) continue;
    position.make(move);
    walk.search(position, request.visits);
  }
  if (walk.asked().empty()) return Error{"the games are over in all of the positions"};
  Figures figures;
  figures.walk = cache.statistics();
  figures.hit = time_of_hit(walk.asked(), cached, cache, request.seconds);
  time_evaluations(walk.asked(), evaluator, request.seconds, figures);
  print(request, figures);
  return Status::success();
}

}  // namespace aleph::apps
