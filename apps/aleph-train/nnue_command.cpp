#include "nnue_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <string>

#include "base/progress.h"
#include "common/arguments.h"
#include "train/nnue/nnue_baseline.h"
#include "train/nnue/nnue_trainer.h"

namespace aleph::apps {
namespace {

volatile std::sig_atomic_t stop_wanted = 0;

int fail(const std::string& sentence) {
  fmt::print(stderr, "aleph: {}\n", sentence);
  return kFailed;
}

void print_report(const train::NnueReport& report, const std::string& config) {
  if (report.stopped) {
    fmt::print("stopped; go on with: aleph train {} --resume\n", config);
    return;
  }
  fmt::print("network      {}\n", report.network.string());
  fmt::print("steps        {}\npositions    {}\n", with_thousands(report.steps),
             with_thousands(report.positions));
  if (report.validation_loss) fmt::print("validation   {:.6f}\n", *report.validation_loss);
  const train::RoundingReport& rounding = report.rounding;
  if (rounding.positions > 0)
    fmt::print(
        "rounding     {:.2f} internal units on average, {:.1f} at worst, bias {:+.2f} "
        "({} positions, whose values are {:.0f} on average)\n",
        rounding.mean, rounding.worst, rounding.bias, rounding.positions, rounding.mean_value);
  fmt::print("{:.1f} s\n", report.seconds);
}

}  // namespace

int train_nnue(const std::string& file, bool resume, const std::string& out) {
  auto config = train::read_nnue_config(file);
  if (!config.ok()) return fail(config.error());
  train::NnueConfig wanted = config.take();
  if (!out.empty()) wanted.out = out;
  std::signal(SIGINT, [](int) { stop_wanted = 1; });
  std::signal(SIGTERM, [](int) { stop_wanted = 1; });
  train::NnueRunOptions options;
  options.resume = resume;
  options.stop = [] { return stop_wanted != 0; };
  const auto report = train::run_nnue_training(wanted, options);
  if (!report.ok()) return fail(report.error());
  print_report(report.value(), file);
  return kDone;
}

int run_nnue_baseline(Arguments arguments) {
  CLI::App app(
      "Writes a network that only counts material and likes some squares more than others.",
      "aleph train nnue-baseline");
  std::string folder;
  app.add_option("folder", folder, "where it is written, under its own name")->required();
  if (const auto over = parse_arguments(app, arguments)) return *over;

  const auto written = train::write_trained(train::material_and_squares_network(), folder);
  if (!written.ok()) return fail(written.error());
  fmt::print("{}\n", written.value().string());
  return kDone;
}

}  // namespace aleph::apps
