#include "data_gen_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "base/progress.h"
#include "cluster_progress.h"
#include "common/arguments.h"
#include "lab/datagen/generate.h"
#include "lab/match/settings.h"
#include "lab/segments/cluster.h"

namespace aleph::apps {

namespace {

struct GenerateArguments {
  lab::GenerateSettings settings;
  std::string out;
  std::optional<int> random_plies;
  std::optional<std::size_t> threads;
  std::vector<std::string> draw, resign;
  int most_moves = 200;
  bool no_adjudication = false;
};

[[noreturn]] void fail(const std::string& sentence) {
  fmt::print(stderr, "aleph: {}\n", sentence);
  throw CLI::RuntimeError(kFailed);
}

void describe_options(CLI::App& command, GenerateArguments& arguments) {
  lab::GenerateSettings& settings = arguments.settings;
  command.add_option("--games", settings.games, "so many games")
      ->required()
      ->check(CLI::Range(1, 2'000'000'000));
  command.add_option("--nodes", settings.nodes, "for each move")
      ->required()
      ->check(CLI::Range(1, 2'000'000'000));
  command.add_option("--out", arguments.out, "folder of the dataset")->required();
  command.add_option("--book", settings.book, "openings: EPD or PGN, plain or compressed")
      ->check(CLI::ExistingFile);
  command
      .add_option("--random-plies", arguments.random_plies,
                  "random moves before the engine plays [8, or 0 with a book]")
      ->check(CLI::Range(0, 200));
  command.add_option("--seed", settings.seed, "for openings and random moves")
      ->capture_default_str();
  command.add_option("--threads", arguments.threads, "games at a time [one for each core]")
      ->check(CLI::Range(1, 1024));
  command.add_option("--net", settings.network, "network, by name or path [the usual one]");
  command.add_option("--hash", settings.hash_mib, "MiB for each game")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command
      .add_option("--draw", arguments.draw,
                  "as for aleph match [movenumber=34 movecount=8 score=20]")
      ->type_name("RULE")
      ->expected(1, 3);
  command.add_option("--resign", arguments.resign, "as for aleph match [movecount=3 score=600]")
      ->type_name("RULE")
      ->expected(1, 3);
  command.add_flag("--no-adjudication", arguments.no_adjudication,
                   "play until mate or a draw by the rules");
  command.add_option("--maxmoves", arguments.most_moves, "longer games are drawn")
      ->check(CLI::Range(1, 5000))
      ->capture_default_str();
  command.add_option("--segment", settings.segment, "games in one file")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
}

void complete_settings(GenerateArguments& arguments, const lab::Cluster& cluster) {
  lab::GenerateSettings& settings = arguments.settings;
  settings.random_plies = arguments.random_plies.value_or(settings.book.empty() ? 8 : 0);
  settings.threads = arguments.threads.value_or(lab::usual_threads(cluster));
  settings.adjudication.most_moves = arguments.most_moves;
  if (arguments.no_adjudication) return;
  const auto draw = lab::parse_draw_rule(arguments.draw);
  if (!draw.ok()) fail(draw.error());
  const auto resign = lab::parse_resign_rule(arguments.resign);
  if (!resign.ok()) fail(resign.error());
  settings.adjudication.draw = draw.value();
  settings.adjudication.resign = resign.value();
}

void print_report(const lab::GenerateReport& report, const std::string& out,
                  std::uint64_t games_of_this_run, double seconds) {
  if (report.was_complete) fmt::print("{} is complete already\n", out);
  const auto line = [](const char* what, std::uint64_t count) {
    fmt::print("{:<28}{:>15}\n", what, with_thousands(count));
  };
  fmt::print("network: {}\n", report.network);
  line("games", report.games);
  line("  White won", report.white_wins);
  line("  Black won", report.black_wins);
  line("  drawn", report.draws);
  line("  ended by the scores", report.adjudicated);
  line("rows", report.rows);
  if (games_of_this_run > 0)
    fmt::print("{} games in {:.1f} s: {:.2f} a second\n", with_thousands(games_of_this_run),
               seconds, static_cast<double>(games_of_this_run) / std::max(seconds, 0.001));
}

void run_generate(GenerateArguments& arguments) {
  auto joined = lab::Cluster::join();
  if (!joined.ok()) fail(joined.error());
  const std::unique_ptr<lab::Cluster> cluster = joined.take();
  complete_settings(arguments, *cluster);
  const auto start = std::chrono::steady_clock::now();
  const Interrupt interrupt;
  ClusterProgress progress("games", *cluster);
  std::uint64_t games = 0;
  const auto report = lab::generate_games(arguments.settings, arguments.out, *cluster, interrupt,
                                          [&](std::uint64_t done, std::uint64_t all) {
                                            ++games;
                                            progress(done, all);
                                          });
  progress.end();
  if (!report.ok()) fail(report.error());
  if (cluster->is_first())
    print_report(report.value(), arguments.out, games,
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

}  // namespace

void add_data_gen(CLI::App& data) {
  CLI::App* const command =
      data.add_subcommand("gen", "Makes positions with scores and outcomes by self-play.");
  auto arguments = std::make_shared<GenerateArguments>();
  describe_options(*command, *arguments);
  command->footer(
      "\nExample: aleph data gen --games 10000 --nodes 5000 --out games --seed 7\n"
      "The same seed gives the same rows, whatever --threads is. Work that was stopped goes on "
      "when it\nis started again with the same words. On several machines that share the folder:\n"
      "  mpirun --map-by node --bind-to none aleph-lab data gen ...");
  command->callback([arguments] { run_generate(*arguments); });
}

}  // namespace aleph::apps
