#include "data_look_command.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/text.h"
#include "common/arguments.h"
#include "data/batch/batch_reader.h"
#include "data/dataset/dataset.h"
#include "data/dataset/validate.h"
#include "data/dataset/view.h"
#include "data/duckdb_session.h"

namespace aleph::apps {

namespace {

struct LookArguments {
  std::string folder, split, sql;
  std::uint64_t row = 0;
  std::size_t batch = 1024;
  bool make_masks = false;
};

[[noreturn]] void fail(const std::string& sentence) {
  fmt::print(stderr, "aleph: {}\n", sentence);
  throw CLI::RuntimeError(kFailed);
}

data::Dataset open(const LookArguments& arguments) {
  auto dataset = data::Dataset::open(arguments.folder);
  if (!dataset.ok()) fail(dataset.error());
  if (!arguments.split.empty() && dataset.value().find(arguments.split) == nullptr)
    fail(fmt::format("{} has no split {}", arguments.folder, arguments.split));
  return dataset.take();
}

// Text columns under their names, as wide as their widest value.
void print_table(const data::Table& table) {
  std::vector<std::size_t> widths;
  const auto cell = [](const data::Column& column, std::size_t row) -> std::string {
    if (column.is_missing(row)) return "-";
    return std::get<std::vector<std::string>>(column.values)[row];
  };
  for (const data::Column& column : table.columns) {
    std::size_t width = column.name.size();
    for (std::size_t row = 0; row < table.rows(); ++row)
      width = std::max(width, cell(column, row).size());
    widths.push_back(width);
  }
  for (std::size_t i = 0; i < widths.size(); ++i)
    fmt::print("{:<{}}  ", table.columns[i].name, widths[i]);
  fmt::print("\n");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < widths.size(); ++i)
      fmt::print("{:<{}}  ", cell(table.columns[i], row), widths[i]);
    fmt::print("\n");
  }
}

void run_sql(const LookArguments& arguments) {
  const data::Dataset dataset = open(arguments);
  if (dataset.rows() == 0) fail(arguments.folder + " has no rows");
  auto opened = data::DuckDbSession::open();
  if (!opened.ok()) fail(opened.error());
  data::DuckDbSession session = opened.take();
  const Status view =
      session.run("CREATE VIEW rows AS SELECT * FROM " + dataset.sql_source(arguments.split));
  if (!view.ok()) fail(view.error());
  // As text, so that every type DuckDB has can be shown. A line of its own, in case the query ends
  // with a comment.
  std::string query = arguments.sql;
  while (!query.empty() && (is_space(query.back()) || query.back() == ';')) query.pop_back();
  const auto table = session.query("SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (" + query + "\n)");
  if (!table.ok()) fail(table.error());
  if (table.value().columns.empty())
    fmt::print("no rows\n");
  else
    print_table(table.value());
}

void run_validate(const LookArguments& arguments) {
  const data::Dataset dataset = open(arguments);
  auto progress = std::make_unique<Progress>("rows", dataset.rows());
  const auto report = data::validate(dataset, [&](std::uint64_t rows) { progress->update(rows); });
  progress.reset();
  if (!report.ok()) fail(report.error());
  for (const std::string& problem : report.value().problems) fmt::print(stderr, "{}\n", problem);
  fmt::print("{} rows, {} bad\n", with_thousands(report.value().rows),
             with_thousands(report.value().bad_rows));
  if (report.value().bad_rows > 0) throw CLI::RuntimeError(kFailed);
}

void run_view(const LookArguments& arguments) {
  const data::Dataset dataset = open(arguments);
  const auto text = data::view_row(dataset, arguments.split, arguments.row);
  if (!text.ok()) fail(text.error());
  fmt::print("{}", text.value());
}

// How fast training could be fed.
void run_read(const LookArguments& arguments) {
  const data::Dataset dataset = open(arguments);
  data::BatchOptions options;
  options.rows = arguments.batch;
  options.make_masks = !dataset.has_masks || arguments.make_masks;
  const std::string split = arguments.split.empty() ? dataset.splits.front().name : arguments.split;
  auto opened = data::BatchReader::open(dataset, split, options);
  if (!opened.ok()) fail(opened.error());
  data::BatchReader reader = opened.take();
  Progress progress("rows", reader.rows());
  const auto start = std::chrono::steady_clock::now();
  while (true) {
    const auto batch = reader.next();
    if (!batch.ok()) fail(batch.error());
    if (batch.value().rows() == 0) break;
    progress.update(reader.rows_given());
  }
  progress.wipe();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print("{} rows in {:.1f} s: {} a second in batches of {}, masks {}; {} MiB at most\n",
             with_thousands(reader.rows_given()), elapsed.count(),
             with_thousands(static_cast<std::uint64_t>(static_cast<double>(reader.rows_given()) /
                                                       std::max(elapsed.count(), 0.001))),
             arguments.batch, options.make_masks ? "made" : "read", usage.ru_maxrss / 1024);
}

CLI::App* add(CLI::App& data, const char* name, const char* what,
              const std::shared_ptr<LookArguments>& arguments, void (*run)(const LookArguments&)) {
  CLI::App* const command = data.add_subcommand(name, what);
  command->add_option("folder", arguments->folder, "folder of the dataset")->required();
  command->callback([arguments, run] { run(*arguments); });
  return command;
}

}  // namespace

void add_data_look(CLI::App& data) {
  auto arguments = std::make_shared<LookArguments>();
  CLI::App* const sql = add(data, "sql", "Asks DuckDB about the rows.", arguments, run_sql);
  sql->add_option("query", arguments->sql, "e.g. \"SELECT count(*) FROM rows\"")->required();
  sql->add_option("--split", arguments->split, "only this part");
  add(data, "validate", "Checks every row: legal position, target inside its mask.", arguments,
      run_validate);
  CLI::App* const view = add(data, "view", "Shows one row in words.", arguments, run_view);
  view->add_option("--row", arguments->row, "which, the first being 0")->capture_default_str();
  view->add_option("--split", arguments->split, "of this part; otherwise of all");
  CLI::App* const read =
      add(data, "read", "Reads all rows in shuffled batches: how fast, with how much memory.",
          arguments, run_read);
  read->add_option("--batch", arguments->batch, "rows of a batch")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  read->add_option("--split", arguments->split, "this part; otherwise the first");
  read->add_flag("--make-masks", arguments->make_masks, "make masks even where they are stored");
}

}  // namespace aleph::apps
