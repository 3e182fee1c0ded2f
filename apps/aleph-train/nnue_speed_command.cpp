#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "common/arguments.h"
#include "nnue_command.h"
#include "train/nnue/nnue_loader.h"
#include "train/nnue/nnue_step.h"
#include "train/nnue/torch_twin.h"

namespace aleph::apps {
namespace {

using Clock = std::chrono::steady_clock;

struct SpeedArguments {
  train::NnueConfig config;
  int batches = 8, rounds = 3;
  bool no_torch = false;
};

double seconds_of(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The best of several rounds over all batches: other programs only ever take time away.
double best_rate(const std::vector<train::SparseBatch>& batches, int rounds,
                 const std::function<void(const train::SparseBatch&)>& work) {
  double best = 0, positions = 0;
  for (const auto& batch : batches) positions += static_cast<double>(batch.positions());
  for (int round = 0; round < rounds; ++round)
    best = std::max(best, positions / seconds_of([&] {
                            for (const auto& batch : batches) work(batch);
                          }));
  return best;
}

void print_rate(const std::string& what, double rate) {
  fmt::print("{:<44}{:>12} positions/s\n", what, with_thousands(static_cast<std::uint64_t>(rate)));
  std::fflush(stdout);
}

Result<std::vector<train::SparseBatch>> load(const SpeedArguments& arguments) {
  auto opened = train::NnueLoader::open(arguments.config, arguments.config.data, true, 0, 0);
  if (!opened.ok()) return Error{opened.error()};
  train::NnueLoader loader = opened.take();
  std::vector<train::SparseBatch> batches;
  while (batches.size() < static_cast<std::size_t>(arguments.batches)) {
    auto loaded = loader.next();
    if (!loaded.ok()) return Error{loaded.error()};
    if (loaded.value().batch.positions() == 0) break;
    batches.push_back(loaded.take().batch);
  }
  if (batches.empty()) return Error{"there is no position in " + arguments.config.data.folder};
  return batches;
}

}  // namespace

int run_nnue_speed(Arguments words) {
  CLI::App app("Measures the NNUE trainer, and the same network in libtorch with embedding_bag.",
               "aleph train nnue-speed");
  SpeedArguments arguments;
  train::NnueConfig& config = arguments.config;
  app.add_option("dataset", config.data.folder, "of score rows")->required();
  app.add_option("--width", config.width, "of the network")->capture_default_str();
  app.add_option("--batch", config.batch, "positions")->capture_default_str();
  app.add_option("--batches", arguments.batches, "different ones")->capture_default_str();
  app.add_option("--threads", config.threads, "of both")->capture_default_str();
  app.add_option("--rounds", arguments.rounds, "the best one counts")->capture_default_str();
  app.add_flag("--no-torch", arguments.no_torch, "without the comparison");
  if (const auto over = parse_arguments(app, words)) return *over;
  const auto width = static_cast<std::size_t>(config.width);
  if (!train::is_trainable_width(width)) {
    fmt::print(stderr, "aleph: a width should be 32, or a multiple of 64\n");
    return kWrongUsage;
  }
  config.shuffle_files = 4;
  const auto batches = load(arguments);
  if (!batches.ok()) {
    fmt::print(stderr, "aleph: {}\n", batches.error());
    return kFailed;
  }
  train::NnueModel model = train::NnueModel::random(width, 1);
  const train::StepSettings settings;
  train::NnueStep step(model, settings, static_cast<std::size_t>(config.threads));
  const double own = best_rate(batches.value(), arguments.rounds,
                               [&](const auto& batch) { step.train(batch, 1e-3); });
  print_rate(fmt::format("this trainer ({})", train::best_nnue_kernels().name), own);
  if (arguments.no_torch) return kDone;
  train::TorchTwin twin(model, settings, config.threads);
  const double backward = best_rate(batches.value(), arguments.rounds,
                                    [&](const auto& batch) { twin.gradient(batch); });
  print_rate("libtorch, embedding_bag, without optimiser", backward);
  const double torch = best_rate(batches.value(), arguments.rounds,
                                 [&](const auto& batch) { twin.train(batch, 1e-3); });
  print_rate("libtorch, embedding_bag, with Adam", torch);
  fmt::print("{:.2f} x libtorch ({:.2f} x its backward pass alone)\n", own / torch, own / backward);
  return kDone;
}

}  // namespace aleph::apps
