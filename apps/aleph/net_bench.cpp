#include "net_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/result.h"
#include "cache_bench.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "common/command_table.h"
#include "engine/bench.h"
#include "engine/policy_choice.h"
#include "eval/network_evaluator.h"
#include "net_quantize.h"
#include "nets/weights/net_file.h"
#include "stopwatch.h"

namespace aleph::apps {

namespace {

using nets::Precision;

// The positions of the bench, one behind the other, as often as it takes.
class Leaves {
 public:
  explicit Leaves(std::size_t count) {
    for (const std::string_view fen : engine::kBenchFens) {
      auto position = chess::parse_fen(fen).take();
      if (chess::has_legal_move(position)) positions_.push_back(std::move(position));
    }
    for (const chess::Position& position : positions_) moves_.push_back(legal_moves(position));
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = i % positions_.size();
      leaves_.push_back({&positions_[at], {moves_[at].begin(), moves_[at].end()}, {}});
    }
  }
  std::span<const eval::Leaf> all() const { return leaves_; }

 private:
  std::vector<chess::Position> positions_;
  std::vector<chess::MoveList> moves_;
  std::vector<eval::Leaf> leaves_;
};

void print_line(const NetBenchRequest& request, std::string_view precision, int batch,
                double seconds, double mflop) {
  const double speed = batch / seconds;
  if (request.tsv)
    fmt::print("{}\t{}\t{:.6f}\t{:.2f}\n", precision, batch, 1e3 * seconds, speed);
  else
    fmt::print("{:<9}  {:>5}  {:>11.3f}  {:>13.1f}  {:>8.1f}\n", precision, batch, 1e3 * seconds,
               speed, speed * mflop / 1e3);
  std::fflush(stdout);
}

int fail(const std::string& sentence) {
  fmt::print(stderr, "aleph net bench: {}\n", sentence);
  return kFailed;
}

// In int8 as aleph net quantize would make it.
Result<nets::Network> make_network(const nets::NetFile& file, const std::string& precision) {
  if (precision != "int8") return nets::Network::make(file, Precision::Fp32);
  if (std::ranges::any_of(file.tensors, [](const auto& t) { return t.second.is_int8(); }))
    return nets::Network::make(file, Precision::Int8);
  const auto small = calibrated_int8(file, {});
  if (!small.ok()) return Error{small.error()};
  return nets::Network::make(small.value(), Precision::Int8);
}

Result<eval::NetworkEvaluator> make_evaluator(const nets::NetFile& file,
                                              const std::string& precision, std::size_t most) {
  auto network = make_network(file, precision);
  if (!network.ok()) return Error{network.error()};
  eval::NetworkEvaluatorOptions options;
  options.most_positions = most;
  return eval::NetworkEvaluator::make(std::make_shared<const nets::Network>(network.take()),
                                      options);
}

int bench_cache_of(const NetBenchRequest& request, const nets::NetFile& file) {
  auto made = make_evaluator(file, request.precisions.front(), kCacheBenchBatch);
  if (!made.ok()) return fail(made.error());
  eval::NetworkEvaluator evaluator = made.take();
  CacheBenchRequest cache = request.cache;
  cache.seconds = request.seconds;
  cache.tsv = request.tsv;
  if (!request.tsv)
    fmt::print("{}, {}: walks as MCTS makes them, one thread\n\n", file.spec.name,
               request.precisions.front());
  const Status done = bench_cache(cache, evaluator);
  return done.ok() ? kDone : fail(done.error());
}

}  // namespace

int bench_network(const NetBenchRequest& request) {
  const auto file =
      engine::find_policy_network(request.network, nnue::NetworkPlaces::of_this_machine());
  if (!file.ok()) return fail(file.error());
  const auto content = nets::read_network(file.value());
  if (!content.ok()) return fail(content.error());
  if (request.only_cache) return bench_cache_of(request, content.value());
  const auto most = static_cast<std::size_t>(*std::ranges::max_element(request.batches));
  const Leaves leaves(most);
  std::vector<eval::LeafResult> results(most);
  bool first = true;
  for (const std::string& precision : request.precisions) {
    auto made = make_evaluator(content.value(), precision, most);
    if (!made.ok()) return fail(made.error());
    eval::NetworkEvaluator evaluator = made.take();
    const double mflop = evaluator.network().graph().flops() / 1e6;
    if (first && !request.tsv)
      fmt::print(
          "{}: {:.1f} MFLOP a position; whole evaluations, one thread\n\n"
          "precision  batch  ms a batch   evaluations/s   GFLOP/s\n",
          content.value().spec.name, mflop);
    for (const int batch : request.batches) {
      const auto count = static_cast<std::size_t>(batch);
      const double seconds = best_time(request.seconds, [&] {
        evaluator.evaluate(leaves.all().first(count), std::span(results).first(count));
      });
      print_line(request, precision, batch, seconds, mflop);
    }
    first = false;
  }
  return kDone;
}

}  // namespace aleph::apps
