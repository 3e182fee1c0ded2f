#include "net_bench.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "common/command_table.h"
#include "engine/bench.h"
#include "engine/policy_choice.h"
#include "eval/cached_evaluator.h"
#include "eval/network_evaluator.h"
#include "nets/weights/net_file.h"

namespace aleph::apps {

namespace {

using nets::Precision;

// Processor time of this thread: what other programs take does not count.
double seconds_used() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Seconds of one call: the best of several rounds, each long enough to be measured.
template <class Work>
double best_time(double seconds, const Work& work) {
  constexpr double kRound = 0.02;
  double best = std::numeric_limits<double>::max();
  work();  // caches and pages are warm from here on
  for (double spent = 0; spent < seconds;) {
    int calls = 0;
    const double start = seconds_used();
    double used = 0;
    for (; used < kRound; used = seconds_used() - start, ++calls) work();
    best = std::min(best, used / calls);
    spent += used;
  }
  return best;
}

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

// A hit against an evaluation alone, in the same evaluator.
void bench_cache(eval::NetworkEvaluator& evaluator, std::span<const eval::Leaf> leaves,
                 double seconds) {
  std::vector<eval::LeafResult> results(leaves.size());
  const double evaluation =
      best_time(seconds, [&] { evaluator.evaluate(leaves.first(1), std::span(results).first(1)); });
  eval::LeafCache cache(std::size_t{4} << 20);
  eval::CachedEvaluator cached(evaluator, cache);
  const double hits = best_time(seconds / 4, [&] { cached.evaluate(leaves, results); });
  const double hit = hits / static_cast<double>(leaves.size());
  fmt::print("\na hit of the cache takes {:.2f} us, {:.3f} % of an evaluation alone\n", 1e6 * hit,
             100 * hit / evaluation);
}

}  // namespace

int bench_network(const NetBenchRequest& request) {
  const auto fail = [](const std::string& sentence) {
    fmt::print(stderr, "aleph net bench: {}\n", sentence);
    return kFailed;
  };
  const auto file =
      engine::find_policy_network(request.network, nnue::NetworkPlaces::of_this_machine());
  if (!file.ok()) return fail(file.error());
  const auto content = nets::read_network(file.value());
  if (!content.ok()) return fail(content.error());
  const int most = *std::ranges::max_element(request.batches);
  const Leaves leaves(static_cast<std::size_t>(std::max(most, 64)));
  bool first = true;
  for (const std::string& precision : request.precisions) {
    auto network = nets::Network::make(content.value(),
                                       precision == "int8" ? Precision::Int8 : Precision::Fp32);
    if (!network.ok()) return fail(network.error());
    const auto shared = std::make_shared<const nets::Network>(network.take());
    eval::NetworkEvaluatorOptions options;
    options.most_positions = static_cast<std::size_t>(most);
    auto made = eval::NetworkEvaluator::make(shared, options);
    if (!made.ok()) return fail(made.error());
    eval::NetworkEvaluator evaluator = made.take();
    const double mflop = shared->graph().flops() / 1e6;
    if (first && !request.tsv)
      fmt::print(
          "{}: {:.1f} MFLOP a position; whole evaluations, one thread\n\n"
          "precision  batch  ms a batch   evaluations/s   GFLOP/s\n",
          content.value().spec.name, mflop);
    std::vector<eval::LeafResult> results(static_cast<std::size_t>(most));
    for (const int batch : request.batches) {
      const auto count = static_cast<std::size_t>(batch);
      const double seconds = best_time(request.seconds, [&] {
        evaluator.evaluate(leaves.all().first(count), std::span(results).first(count));
      });
      print_line(request, precision, batch, seconds, mflop);
    }
    const bool last = precision == request.precisions.back();
    if (last && !request.tsv) bench_cache(evaluator, leaves.all(), request.seconds);
    first = false;
  }
  return kDone;
}

}  // namespace aleph::apps
