#include "compare_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/write_file.h"
#include "common/arguments.h"
#include "run_show.h"
#include "train/compare.h"
#include "train/process_group.h"

namespace aleph::apps {
namespace {

namespace fs = std::filesystem;

int fail(const std::string& sentence) {
  fmt::print(stderr, "aleph train compare: {}\n", sentence);
  return kFailed;
}

Status write_text(const fs::path& file, const std::string& text) {
  return write_file(file, std::as_bytes(std::span(text)));
}

Status write_report(const fs::path& out, const std::vector<train::ComparedRun>& runs) {
  if (Status status = write_text(out / "report.md", train::comparison_markdown(runs)); !status.ok())
    return status;
  return write_text(out / "report.html", train::comparison_html(runs));
}

}  // namespace

int run_train_compare(Arguments arguments) {
  std::vector<std::string> files;
  std::string out = "runs/comparison";
  bool resume = false;
  CLI::App app(
      "Trains networks on the same data, in the same order, by the same rules, and writes "
      "what comes of it: report.md and report.html.",
      "aleph train compare");
  app.add_option("configs", files, "two configs or more")->required()->expected(2, 100);
  app.add_option("--out", out, "a folder for the report and the runs")->capture_default_str();
  app.add_flag("--resume", resume, "go on with runs that were stopped");
  if (const auto over = parse_arguments(app, arguments)) return *over;

  std::vector<train::TrainConfig> configs;
  for (const std::string& file : files) {
    auto config = train::read_train_config(file);
    if (!config.ok()) return fail(config.error());
    configs.push_back(config.take());
  }
  if (const Status status = train::check_comparable(configs); !status.ok())
    return fail(status.error());
  const auto launch = train::launch_from_environment();
  if (!launch.ok()) return fail(launch.error());
  if (launch.value() && launch.value()->world > 1)
    return fail("networks are compared by one process");

  std::vector<train::ComparedRun> runs;
  for (const train::TrainConfig& config : configs) {
    fmt::print("{}\n", config.name);
    train::RunOptions options;
    options.out = fs::path(out) / config.name;
    options.resume = resume;
    auto report = run_and_show(config, options);
    if (!report.ok()) return fail(fmt::format("{}: {}", config.name, report.error()));
    print_report(report.value());
    runs.push_back({config, report.take()});
  }
  if (const Status status = write_report(out, runs); !status.ok()) return fail(status.error());
  fmt::print("the report is in {} and {}\n", (fs::path(out) / "report.md").string(),
             (fs::path(out) / "report.html").string());
  return kDone;
}

}  // namespace aleph::apps
