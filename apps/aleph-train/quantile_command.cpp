#include "quantile_command.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>

#include "base/progress.h"
#include "common/command_table.h"
#include "train/quantile/quantile_trainer.h"

namespace aleph::apps {
namespace {

volatile std::sig_atomic_t stop_wanted = 0;

int fail(const std::string& sentence) {
  fmt::print(stderr, "aleph train: {}\n", sentence);
  return kFailed;
}

void print_report(const train::QuantileReport& report, const std::string& config) {
  if (report.stopped) {
    fmt::print("stopped; go on with: aleph train {} --resume\n", config);
    return;
  }
  fmt::print("{}\n", train::calibration_text(report.calibration));
  fmt::print("network      {}\n", report.network.string());
  fmt::print("steps        {}\npositions    {} ({} different ones, {} for validation)\n",
             with_thousands(report.steps), with_thousands(report.positions),
             with_thousands(report.train_rows), with_thousands(report.validation_rows));
  fmt::print("validation   {:.6f}, {:.1f} % below the best margin without a network\n",
             report.validation_loss.value_or(0), 100 * report.calibration.gain());
  fmt::print("rounding     {:.5f} of expected score on average, {:.4f} at worst ({} positions)\n",
             report.rounding.mean, report.rounding.worst, report.rounding.positions);
  fmt::print("{:.1f} s\n", report.seconds);
}

}  // namespace

int train_quantile(const std::string& file, bool resume, const std::string& out) {
  auto config = train::read_quantile_config(file);
  if (!config.ok()) return fail(config.error());
  train::QuantileConfig wanted = config.take();
  if (!out.empty()) wanted.out = out;
  std::signal(SIGINT, [](int) { stop_wanted = 1; });
  std::signal(SIGTERM, [](int) { stop_wanted = 1; });
  train::QuantileRunOptions options;
  options.resume = resume;
  options.stop = [] { return stop_wanted != 0; };
  const auto report = train::run_quantile_training(wanted, options);
  if (!report.ok()) return fail(report.error());
  print_report(report.value(), file);
  return kDone;
}

}  // namespace aleph::apps
