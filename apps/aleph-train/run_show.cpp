#include "run_show.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/progress.h"

namespace aleph::apps {
namespace {

std::string numbers_text(const std::vector<std::pair<std::string, double>>& numbers) {
  std::string text;
  for (const auto& [name, number] : numbers)
    if (name != "validation_seconds") text += fmt::format("  {} {:.4f}", name, number);
  return text;
}

}  // namespace

std::filesystem::path default_run_folder(const train::TrainConfig& config) {
  return std::filesystem::path("runs") / config.name;
}

Result<train::RunReport> run_and_show(const train::TrainConfig& config, train::RunOptions options) {
  const bool is_shown = !options.launch || options.launch->rank == 0;
  if (!is_shown) return train::train(config, options);
  std::unique_ptr<Progress> bar;
  std::uint64_t done_before = 0;  // by the run that is resumed
  options.on_step = [&](std::uint64_t step, std::uint64_t steps, double, double) {
    // In rows, so that the bar's rate is the one that people compare.
    if (!bar) {
      done_before = step - 1;
      bar = std::make_unique<Progress>(config.name + ", samples",
                                       (steps - done_before) * config.batch);
    }
    bar->update((step - done_before) * config.batch);
  };
  options.on_entry = [&](const train::LogEntry& entry) {
    if (entry.kind != train::LogEntry::Kind::Validation) return;
    if (bar) bar->wipe();
    fmt::print("step {}{}\n", with_thousands(entry.step), numbers_text(entry.numbers));
    std::fflush(stdout);
  };
  return train::train(config, options);
}

void print_report(const train::RunReport& report) {
  fmt::print("{} after {} steps, {} samples, {:.0f} s ({:.0f} samples/s with validations)\n",
             report.stopped_because, with_thousands(report.steps), with_thousands(report.samples),
             report.seconds, static_cast<double>(report.samples) / std::max(report.seconds, 1e-9));
  if (report.last) {
    fmt::print("mean of {} checkpoints{}\n", report.averaged,
               numbers_text(as_numbers(report.validation)));
    fmt::print("last weights alone{}\n", numbers_text(as_numbers(*report.last)));
  }
  fmt::print("{}: {} parameters; the engine and libtorch differ by {:.1e} at most\n",
             report.network.string(), with_thousands(report.parameters), report.parity);
}

}  // namespace aleph::apps
