#include "engine/speedtest.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <thread>

#include "base/cpu.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/version.h"
#include "chess/san.h"
#include "engine/engine.h"
#include "nnue/simd/kernels.h"

namespace aleph::engine {

using chess::Position;
using search::Milliseconds;

namespace {

constexpr int kBookPlies = 6;  // known by heart: not searched
constexpr std::size_t kWarmUpSteps = 3;
constexpr int kMibPerThread = 128, kMostThreads = 1024, kMostHash = 1 << 20;

// Of the time for a game; what Stockfish found in its own games on fishtest.
double weight_of(int ply) { return 1.0 / (ply + 15); }

class Silent final : public search::ProgressListener {
  void on_progress(const search::Progress&) override {}
  void on_finished(const search::Answer&) override {}
};

std::uint64_t memory_of_this_machine_mib() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return 1024;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) >> 20;
}

std::uint64_t per_second(std::uint64_t nodes, Milliseconds elapsed) {
  return nodes * 1000 / static_cast<std::uint64_t>(std::max<std::int64_t>(elapsed.count(), 1));
}

Milliseconds search(Engine& engine, const SpeedtestStep& step) {
  Silent silent;
  search::Limits limits;
  limits.move_time = step.time;
  engine.set_position(step.position);
  engine.go(limits, silent);
  engine.wait();
  return std::chrono::duration_cast<Milliseconds>(search::Clock::now() - limits.start);
}

struct GameTally {
  std::size_t positions = 0;
  std::uint64_t nodes = 0;
  Milliseconds elapsed{0};

  std::string describe(std::size_t game) const {
    return fmt::format("game {}/{}: {}: {} positions, {} nodes, {} nodes/s", game + 1,
                       kSpeedtestGameCount, kSpeedtestGames[game].name, positions,
                       with_thousands(nodes), with_thousands(per_second(nodes, elapsed)));
  }
};

}  // namespace

Result<SpeedtestRequest> parse_speedtest(const std::vector<std::string_view>& words, int processors,
                                         std::uint64_t memory_mib) {
  SpeedtestRequest request;
  const auto number = [&](std::size_t i, std::string_view what, int high, int& field) -> Status {
    if (i >= words.size()) return Status::success();
    const auto value = parse_integer<int>(words[i]);
    if (!value || *value < 1 || *value > high)
      return Error{fmt::format("speedtest: {} must be a number from 1 to {}, not {}", what, high,
                               quoted(words[i]))};
    field = *value;
    return Status::success();
  };
  request.threads = std::clamp(processors, 1, kMostThreads);
  if (auto status = number(0, "threads", kMostThreads, request.threads); !status.ok())
    return Error{status.error()};
  const auto quarter = static_cast<int>(std::clamp<std::uint64_t>(memory_mib / 4, 1, kMostHash));
  request.hash_mib = std::min(request.threads * kMibPerThread, quarter);
  if (auto status = number(1, "hash", kMostHash, request.hash_mib); !status.ok())
    return Error{status.error()};
  if (auto status = number(2, "seconds", 1'000'000, request.seconds); !status.ok())
    return Error{status.error()};
  if (words.size() > 3) return Error{"speedtest: too many words: " + quoted(words[3])};
  return request;
}

Result<SpeedtestRequest> parse_speedtest(const std::vector<std::string_view>& words) {
  return parse_speedtest(words, static_cast<int>(std::thread::hardware_concurrency()),
                         memory_of_this_machine_mib());
}

std::vector<SpeedtestStep> speedtest_steps(Milliseconds total) {
  std::vector<SpeedtestStep> steps;
  std::vector<double> weights;
  double sum = 0;
  for (std::size_t game = 0; game < kSpeedtestGames.size(); ++game) {
    Position position;
    int ply = 0;
    for (const std::string_view word : split_words(kSpeedtestGames[game].moves)) {
      if (ply >= kBookPlies && ply % 2 == 0) {
        steps.push_back({game, position, Milliseconds(0)});
        weights.push_back(weight_of(ply));
        sum += weights.back();
      }
      const chess::Move move = chess::find_san_move(word, position);
      assert(move);
      position.make(move);
      ++ply;
    }
  }
  for (std::size_t i = 0; i < steps.size(); ++i)
    steps[i].time = std::max(Milliseconds(1),
                             std::chrono::duration_cast<Milliseconds>(total * (weights[i] / sum)));
  return steps;
}

std::uint64_t SpeedtestResult::nodes_per_second() const { return per_second(nodes, elapsed); }

std::string SpeedtestResult::summary() const {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<12} {}\n", name, value);
  };
  const double seconds = static_cast<double>(elapsed.count()) / 1000;
  line("version",
       fmt::format("Aleph {} ({}), {} for {}", version(), commit(), compiler(), target()));
  line("processor", fmt::format("{}, {} kernels", processor_name(), nnue::best_kernels().name));
  line("threads", fmt::format("{}", request.threads));
  line("hash", fmt::format("{} MiB", request.hash_mib));
  line("network", network);
  line("positions", fmt::format("{} of {} games", positions, kSpeedtestGameCount));
  line("time", fmt::format("{:.1f} s", seconds));
  line("hashfull", fmt::format("{} permille on average, {} at most, by one search", mean_permille,
                               most_permille));
  line("nodes", with_thousands(nodes));
  line("nodes/second", with_thousands(nodes_per_second()));
  text.pop_back();
  return text;
}

Result<SpeedtestResult> run_speedtest(const SpeedtestRequest& request,
                                      const SpeedtestListener& listener) {
  EngineConfig config;
  config.threads = request.threads;
  config.hash_mib = request.hash_mib;
  config.eval_file = request.eval_file;
  config.overhead_ms = 0;
  Engine engine(config);
  for (const std::string& sentence : engine.apply()) listener.said(sentence);
  if (engine.model() == nullptr) return Error{"speedtest: there is no network"};

  const auto steps = speedtest_steps(std::chrono::seconds(request.seconds));
  listener.said(fmt::format("warm-up: {} positions", kWarmUpSteps));
  for (std::size_t i = 0; i < kWarmUpSteps; ++i) search(engine, steps[i]);

  SpeedtestResult result{request, engine.network(), 0, 0, Milliseconds(0), 0, 0};
  result.request.threads = engine.config().threads;
  result.request.hash_mib = engine.config().hash_mib;
  int permille_sum = 0;
  GameTally game;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == 0 || steps[i].game != steps[i - 1].game) engine.new_game();
    game.elapsed += search(engine, steps[i]);
    game.nodes += engine.nodes();
    ++game.positions;
    const int permille = engine.table().permille_full();
    permille_sum += permille;
    result.most_permille = std::max(result.most_permille, permille);
    if (listener.on_position) listener.on_position(i + 1, steps.size());
    if (i + 1 < steps.size() && steps[i + 1].game == steps[i].game) continue;
    listener.said(game.describe(steps[i].game));
    result.positions += game.positions;
    result.nodes += game.nodes;
    result.elapsed += game.elapsed;
    game = {};
  }
  result.mean_permille = permille_sum / static_cast<int>(std::max<std::size_t>(steps.size(), 1));
  return result;
}

}  // namespace aleph::engine
