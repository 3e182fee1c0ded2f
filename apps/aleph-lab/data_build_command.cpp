#include "data_build_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/progress.h"
#include "base/text.h"
#include "common/arguments.h"
#include "data/dataset/builder.h"

namespace aleph::apps {

namespace {

struct BuildArguments {
  data::BuildSettings settings;
  std::string out, schema = "human", normalization = "flip", split = "train=1";
  std::vector<std::string> paces;
  bool masks = false;
  std::size_t workers = std::thread::hardware_concurrency();
};

[[noreturn]] void fail(const std::string& sentence) {
  fmt::print(stderr, "aleph: {}\n", sentence);
  throw CLI::RuntimeError(kFailed);
}

void describe_options(CLI::App& command, BuildArguments& arguments) {
  data::RowFilter& filter = arguments.settings.filter;
  command.add_option("--pgn", arguments.settings.sources, "files of games, plain or compressed")
      ->required()
      ->check(CLI::ExistingFile);
  command.add_option("--out", arguments.out, "folder of the dataset")->required();
  command.add_option("--schema", arguments.schema, "what a row holds")
      ->check(CLI::IsMember({"human", "policy", "score"}))
      ->capture_default_str();
  command.add_option("--workers", arguments.workers, "threads")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command.add_option("--min-elo", filter.least_rating, "moves of players rated at least this");
  command.add_option("--max-elo", filter.most_rating, "moves of players rated at most this");
  command.add_option("--min-clock", filter.least_clock, "seconds the mover must have left");
  command.add_option("--skip-plies", filter.skipped_plies, "moves to leave out at the start")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command
      .add_option("--time-control", arguments.paces,
                  "only games of these: ultrabullet, bullet, blitz, rapid, classical")
      ->delimiter(',')
      ->check(CLI::IsMember({"ultrabullet", "bullet", "blitz", "rapid", "classical"}));
  command.add_option("--split", arguments.split, "parts by game, e.g. train=0.95,test=0.05")
      ->check([](const std::string& text) {
        return data::parse_splits(text)
                   ? ""
                   : aleph::quoted(text) + " is not like train=0.95,test=0.05, adding up to 1";
      })
      ->capture_default_str();
  command.add_option("--by", "what is never divided between parts: game")
      ->check(CLI::IsMember({"game"}))
      ->expected(1);
  command.add_option("--seed", arguments.settings.seed, "decides which game goes where")
      ->capture_default_str();
  command.add_option("--normalization", arguments.normalization, "how Black's positions are seen")
      ->check(CLI::IsMember({"flip", "rotate"}))
      ->capture_default_str();
  command.add_flag("--dedupe", arguments.settings.dedupe,
                   "of equal positions with equal moves keep the first");
  command.add_flag(
      "--masks", arguments.masks,
      "human: store the masks of legal moves; aleph makes them as fast as it reads them");
}

void print_report(const data::BuildReport& report, const BuildArguments& arguments,
                  double seconds) {
  for (const std::string& problem : report.problems) fmt::print(stderr, "{}\n", problem);
  if (report.was_complete) fmt::print("{} is complete already\n", arguments.out);
  const data::BuildCounts& counts = report.counts;
  const auto line = [](const char* what, std::uint64_t count) {
    if (count > 0) fmt::print("{:<28}{:>15}\n", what, with_thousands(count));
  };
  line("games", counts.games);
  line("bad games, left out", counts.bad_games);
  line("games of another pace", counts.wrong_pace);
  line("rows", counts.rows);
  for (std::size_t i = 0; i < report.rows.size(); ++i)
    line(("  " + arguments.settings.splits[i].name).c_str(), report.rows[i]);
  line("moves skipped at the start", counts.skipped_plies);
  line("moves of other ratings", counts.wrong_rating);
  line("moves with little time left", counts.low_clock);
  line("moves without what it takes", counts.no_data);
  line("duplicates", counts.duplicates);
  if (report.rows_of_this_run > 0)
    fmt::print("{} rows in {:.1f} s: {} a second\n", with_thousands(report.rows_of_this_run),
               seconds,
               with_thousands(static_cast<std::uint64_t>(
                   static_cast<double>(report.rows_of_this_run) / std::max(seconds, 0.001))));
}

void run_build(BuildArguments& arguments) {
  data::BuildSettings& settings = arguments.settings;
  settings.schema = *data::parse_schema(arguments.schema);
  settings.splits = *data::parse_splits(arguments.split);
  settings.normalization =
      arguments.normalization == "flip" ? nets::Normalization::Flip : nets::Normalization::Rotate;
  settings.store_masks = arguments.masks;
  for (const std::string& pace : arguments.paces)
    settings.filter.paces.push_back(*data::parse_pace(pace));
  const auto start = std::chrono::steady_clock::now();
  std::unique_ptr<Progress> progress;
  const auto report = data::build_dataset(
      settings, arguments.out, arguments.workers, [&](const data::BuildProgress& done) {
        if (!progress) progress = std::make_unique<Progress>("bytes", done.all_file_bytes);
        progress->update(done.file_bytes);
      });
  progress.reset();
  if (!report.ok()) fail(report.error());
  print_report(report.value(), arguments,
               std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

}  // namespace

void add_data_build(CLI::App& data) {
  CLI::App* const command =
      data.add_subcommand("build", "Makes a dataset of Parquet files out of games.");
  auto arguments = std::make_shared<BuildArguments>();
  describe_options(*command, *arguments);
  command->footer(
      "\nSchemas: human (74 tokens, move, legal moves, rating, clock), policy (packed position, "
      "move,\nresult, ratings, evaluation), score (packed position, evaluations, outcome).\n"
      "Games that cannot be read are listed and passed over. A build that was stopped goes on when "
      "it\nis started again with the same words; the result is the same, whatever --workers is.");
  command->callback([arguments] { run_build(*arguments); });
}

}  // namespace aleph::apps
