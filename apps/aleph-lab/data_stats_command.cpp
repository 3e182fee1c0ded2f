#include "data_stats_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <span>
#include <string>

#include "base/progress.h"
#include "base/write_file.h"
#include "common/arguments.h"
#include "data/dataset/dataset.h"
#include "data/dataset/dataset_stats.h"
#include "data/dataset/dataset_stats_report.h"

namespace aleph::apps {

namespace {

struct StatsArguments {
  std::string folder, split, html;
};

[[noreturn]] void fail(const std::string& sentence) {
  fmt::print(stderr, "aleph: {}\n", sentence);
  throw CLI::RuntimeError(kFailed);
}

data::Dataset open(const StatsArguments& arguments) {
  auto dataset = data::Dataset::open(arguments.folder);
  if (!dataset.ok()) fail(dataset.error());
  if (!arguments.split.empty() && dataset.value().find(arguments.split) == nullptr)
    fail(fmt::format("{} has no split {}", arguments.folder, arguments.split));
  return dataset.take();
}

void run_stats(const StatsArguments& arguments) {
  const data::Dataset dataset = open(arguments);
  const data::DatasetSplit* const split = dataset.find(arguments.split);
  auto progress =
      std::make_unique<Progress>("rows", split != nullptr ? split->rows() : dataset.rows());
  const auto stats = data::collect_dataset_stats(
      dataset, arguments.split, [&](std::uint64_t rows) { progress->update(rows); });
  progress.reset();
  if (!stats.ok()) fail(stats.error());
  fmt::print("{}", data::dataset_stats_text(stats.value()));
  if (arguments.html.empty()) return;
  const std::string page = data::dataset_stats_html(stats.value());
  const Status written = write_file(arguments.html, std::as_bytes(std::span(page)));
  if (!written.ok()) fail(written.error());
}

}  // namespace

void add_data_stats(CLI::App& data) {
  CLI::App* const command = data.add_subcommand(
      "stats", "Says what is in a dataset: rows, ratings, clocks, phases, openings, duplicates.");
  auto arguments = std::make_shared<StatsArguments>();
  command->add_option("folder", arguments->folder, "folder of the dataset")->required();
  command->add_option("--split", arguments->split, "only this part");
  command->add_option("--html", arguments->html, "also write a page with histograms here");
  command->callback([arguments] { run_stats(*arguments); });
}

}  // namespace aleph::apps
