#include "data_label_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "base/progress.h"
#include "base/text.h"
#include "cluster_progress.h"
#include "common/arguments.h"
#include "engine/network_choice.h"
#include "lab/label/dense_labeller.h"
#include "lab/label/label_run.h"
#include "lab/label/search_nodes.h"
#include "lab/label/walk.h"
#include "lab/match/settings.h"
#include "lab/segments/cluster.h"

namespace aleph::apps {

namespace {

// Positions in one file, unless somebody says otherwise. A network answers a thousand times as fast
// as an engine: with files so small it would mostly write files. Dense ones are in between.
constexpr std::size_t kEngineSegment = 500, kDenseSegment = 5'000, kNetworkSegment = 50'000;

struct LabelArguments {
  lab::LabelSettings settings;
  lab::WalkSettings walk;
  lab::SearchNodeSettings search_nodes;
  std::string search_network;
  std::string in, out, engine;
  std::vector<std::string> options;
  std::optional<std::int64_t> move_time;
  std::optional<std::size_t> processes, limit, segment;
  std::uint64_t seed = 1;
  double timeout = 600;
};

[[noreturn]] void fail(const std::string& sentence) {
  fmt::print(stderr, "aleph: {}\n", sentence);
  throw CLI::RuntimeError(kFailed);
}

void describe_limits(CLI::App& command, LabelArguments& arguments, CLI::Option& network) {
  lab::LabelSettings& settings = arguments.settings;
  CLI::Option* const depths =
      command.add_option("--depths", settings.depths, "a score for each, e.g. 1,4,8,12,16,20")
          ->delimiter(',')
          ->check(CLI::Range(1, 1000))
          ->excludes(&network);
  CLI::Option* const nodes =
      command.add_option("--nodes", settings.nodes, "one score, after so many nodes")
          ->check(CLI::PositiveNumber)
          ->excludes(&network)
          ->excludes(depths);
  command.add_option("--movetime", arguments.move_time, "one score, after so many milliseconds")
      ->check(CLI::PositiveNumber)
      ->excludes(&network)
      ->excludes(depths)
      ->excludes(nodes);
}

// What an engine is and what it is asked; none of it goes with a network.
void describe_engine(CLI::App& command, LabelArguments& arguments, CLI::Option& network) {
  command.add_option("--engine", arguments.engine, "any UCI engine, with its arguments")
      ->excludes(&network);
  command.add_option("--option", arguments.options, "of the engine: NAME=VALUE, once for each")
      ->allow_extra_args(false)
      ->check([](const std::string& text) {
        const std::size_t equals = text.find('=');
        return equals != std::string::npos && equals > 0
                   ? std::string()
                   : aleph::quoted(text) + " is not of the form NAME=VALUE";
      })
      ->excludes(&network);
  describe_limits(command, arguments, network);
  command.add_option("--multipv", arguments.settings.lines, "so many best lines, too")
      ->check(CLI::Range(1, 500))
      ->capture_default_str()
      ->excludes(&network);
  command.add_option("--timeout", arguments.timeout, "seconds for a position, then it hangs")
      ->check(CLI::Range(0.1, 1e6))
      ->capture_default_str()
      ->excludes(&network);
}

void describe_search_nodes(CLI::App& command, LabelArguments& arguments, CLI::Option& walk) {
  CLI::Option* const nodes =
      command
          .add_option("--from-search", arguments.search_nodes.nodes,
                      "instead of each position, one that a search of so many nodes asks about")
          ->check(CLI::Range(10, 1'000'000'000))
          ->excludes(&walk);
  command
      .add_option("--search-net", arguments.search_network,
                  "the network of those searches [the engine's usual one]")
      ->needs(nodes);
}

CLI::Option& describe_walk(CLI::App& command, lab::WalkSettings& walk) {
  CLI::Option* const plies =
      command
          .add_option("--walk", walk.longest,
                      "label positions up to so many random moves away from those given")
          ->check(CLI::Range(1, 1000));
  command.add_option("--walk-share", walk.share, "of the positions that walk; the others stay")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str()
      ->needs(plies);
  command.add_option("--walk-captures", walk.captures, "how often a walk takes, where it can")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str()
      ->needs(plies);
  return *plies;
}

void describe_options(CLI::App& command, LabelArguments& arguments) {
  lab::LabelSettings& settings = arguments.settings;
  command
      .add_option("--in", arguments.in,
                  "FEN or EPD, plain or compressed, or the folder of a dataset")
      ->required()
      ->check(CLI::ExistingPath);
  command.add_option("--out", arguments.out, "folder of the new dataset")->required();
  CLI::Option* const network = command.add_option(
      "--net", settings.network, "a network, by name or path: its evaluation, without a search");
  command.add_option("--top", settings.top, "so many likeliest moves of a dense network, too")
      ->check(CLI::Range(1, 218))
      ->needs(network);
  command
      .add_flag("--plain", settings.plain,
                "the network's own value in internal units, before the engine's formula")
      ->needs(network);
  describe_engine(command, arguments, *network);
  CLI::Option& walk = describe_walk(command, arguments.walk);
  describe_search_nodes(command, arguments, walk);
  command
      .add_option("--processes", arguments.processes,
                  "engines at a time, or threads [one for each core]")
      ->check(CLI::Range(1, 1024));
  command.add_option("--limit", arguments.limit, "so many positions, drawn at random [all]")
      ->check(CLI::PositiveNumber);
  command.add_option("--seed", arguments.seed, "for the draw, the walks and the searches")
      ->capture_default_str();
  command.add_flag("--keep-clocks", settings.keep_clocks,
                   "the clocks of a position count, too [always 0 1]");
  command
      .add_option("--segment", arguments.segment,
                  fmt::format("positions in one file [{}; with a network {}, with a dense one {}]",
                              kEngineSegment, kNetworkSegment, kDenseSegment))
      ->check(CLI::Range(1, 1'000'000));
}

// The words as those of aleph match, which knows how to read them.
lab::EngineCommand engine_of(const LabelArguments& arguments) {
  std::vector<std::string> words{"cmd=" + arguments.engine};
  for (const std::string& option : arguments.options) words.push_back("option." + option);
  const std::vector<std::string> limit{"depth=1"};  // it wants one; we set our own
  const auto engine = lab::parse_engine(words, limit);
  if (!engine.ok()) fail(engine.error());
  return engine.value().engine;
}

std::size_t usual_segment(const lab::LabelSettings& settings) {
  if (settings.network.empty()) return kEngineSegment;
  return lab::find_dense_network(settings.network) ? kDenseSegment : kNetworkSegment;
}

void complete_settings(LabelArguments& arguments, const lab::Cluster& cluster) {
  lab::LabelSettings& settings = arguments.settings;
  if (settings.network.empty()) settings.engine = engine_of(arguments);
  settings.segment = arguments.segment.value_or(usual_segment(settings));
  std::ranges::sort(settings.depths);
  const auto twins = std::ranges::unique(settings.depths);
  settings.depths.erase(twins.begin(), twins.end());
  if (arguments.move_time) settings.move_time = std::chrono::milliseconds(*arguments.move_time);
  settings.processes = arguments.processes.value_or(lab::usual_threads(cluster));
  arguments.walk.seed = arguments.search_nodes.seed = arguments.seed;
  settings.patience =
      std::chrono::milliseconds(static_cast<std::int64_t>(arguments.timeout * 1000));
  if (settings.move_time) settings.patience += *settings.move_time;
  settings.timeouts.ready = std::chrono::seconds(60);  // to clear a large table takes its time
}

// Every machine of a cluster searches all of them: that is short work beside the labels.
void go_into_searches(lab::PositionList& positions, const LabelArguments& arguments,
                      const lab::Cluster& cluster, const Interrupt& interrupt) {
  if (arguments.search_nodes.nodes == 0) return;
  const auto chosen = engine::choose_models(arguments.search_network);
  if (!chosen.ok()) fail(chosen.error());
  if (cluster.is_first()) fmt::print("searching with {}\n", chosen.value().source);
  ClusterProgress progress("searches", cluster);
  const bool done =
      lab::replace_by_search_nodes(positions, arguments.search_nodes, chosen.value().models,
                                   arguments.settings.processes, interrupt, std::ref(progress));
  if (!done) fail("interrupted before the first label");
}

lab::PositionList positions_of(const LabelArguments& arguments, const lab::Cluster& cluster,
                               const Interrupt& interrupt) {
  auto read = lab::read_positions(arguments.in);
  if (!read.ok()) fail(read.error());
  lab::PositionList positions = read.take();
  if (cluster.is_first() && positions.refused > 0) {
    for (const std::string& problem : positions.problems) fmt::print(stderr, "{}\n", problem);
    fmt::print(stderr, "{} lines hold no legal position and are left out\n",
               with_thousands(positions.refused));
  }
  if (arguments.limit) draw_positions(positions, *arguments.limit, arguments.seed);
  walk_positions(positions, arguments.walk, arguments.settings.processes);
  go_into_searches(positions, arguments, cluster, interrupt);
  return positions;
}

void print_report(const lab::LabelReport& report, const LabelArguments& arguments, double seconds) {
  for (const std::string& problem : report.problems) fmt::print(stderr, "no label: {}\n", problem);
  if (report.was_complete) fmt::print("{} is complete already\n", arguments.out);
  const auto line = [](const char* what, std::uint64_t count) {
    fmt::print("{:<28}{:>15}\n", what, with_thousands(count));
  };
  if (arguments.settings.network.empty())
    fmt::print("{:<28}{:>15}\n", "engine", report.source);
  else
    fmt::print("network: {}\n", report.source);
  line("positions", report.positions);
  line("rows", report.rows);
  if (report.skipped > 0) line("skipped: the engine failed", report.skipped);
  if (report.repeated > 0) line("equal to an earlier one", report.repeated);
  if (!report.was_complete) fmt::print("{:.1f} s\n", seconds);
}

void check_words(const LabelArguments& arguments) {
  const lab::LabelSettings& settings = arguments.settings;
  if (!settings.network.empty()) return;
  if (arguments.engine.empty()) throw CLI::RequiredError("--engine or --net");
  if (settings.depths.empty() && !settings.nodes && !arguments.move_time)
    throw CLI::RequiredError("--depths, --nodes or --movetime");
}

void run_label(LabelArguments& arguments) {
  check_words(arguments);
  auto joined = lab::Cluster::join();
  if (!joined.ok()) fail(joined.error());
  const std::unique_ptr<lab::Cluster> cluster = joined.take();
  complete_settings(arguments, *cluster);
  const Interrupt interrupt;
  const lab::PositionList positions = positions_of(arguments, *cluster, interrupt);
  const auto start = std::chrono::steady_clock::now();
  ClusterProgress progress("positions", *cluster);
  const auto report = lab::label_positions(positions, arguments.settings, arguments.out, *cluster,
                                           interrupt, std::ref(progress));
  progress.end();
  if (!report.ok()) fail(report.error());
  if (cluster->is_first())
    print_report(report.value(), arguments,
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

}  // namespace

void add_data_label(CLI::App& data) {
  CLI::App* const command =
      data.add_subcommand("label", "Asks an engine, or a network, about positions.");
  auto arguments = std::make_shared<LabelArguments>();
  describe_options(*command, *arguments);
  command->footer(
      "\nOne of --engine and --net is needed; an engine needs one of --depths, --nodes and "
      "--movetime.\n"
      "Examples:\n"
      "  aleph data label --in positions.epd.zst --out labels --engine stockfish \\\n"
      "      --option Hash=32 --depths 1,4,8,12,16,20\n"
      "  aleph data label --in positions.epd.zst --out labels --net nn-ad9b42354671\n"
      "  aleph data label --in positions.epd.zst --out labels --net maia-1500.pb.gz --top 5\n"
      "  aleph data label --in moves --limit 500000 --from-search 500 --out nodes \\\n"
      "      --engine aleph --nodes 2000\n"
      "The engine forgets everything before each position. One that dies or hangs is started "
      "again;\na position at which it fails three times is skipped and listed.\n"
      "A network labels in this process, with the final value of aleph eval; a position in check "
      "has\nthe network's, too. A dense one (safetensors, Leela, Maia) gives its value in "
      "centipawns, its\nlikeliest move, and with --top more of them with their probabilities.\n"
      "Work that was stopped goes on when it is started again with the same words. On several\n"
      "machines that share the folder:\n"
      "  mpirun --map-by node --bind-to none aleph-lab data label ...");
  command->callback([arguments] { run_label(*arguments); });
}

}  // namespace aleph::apps
