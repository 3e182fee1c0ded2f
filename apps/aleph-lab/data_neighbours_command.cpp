#include "data_neighbours_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/child_process.h"
#include "base/progress.h"
#include "cluster_progress.h"
#include "common/arguments.h"
#include "lab/label/neighbours.h"
#include "lab/segments/cluster.h"

namespace aleph::apps {
namespace {

struct NeighbourArguments {
  lab::NeighbourSettings settings;
  std::string in, out;
  std::optional<std::size_t> threads, limit;
};

[[noreturn]] void fail(const std::string& sentence) {
  fmt::print(stderr, "aleph: {}\n", sentence);
  throw CLI::RuntimeError(kFailed);
}

void run_neighbours(NeighbourArguments& arguments) {
  auto joined = lab::Cluster::join();
  if (!joined.ok()) fail(joined.error());
  const std::unique_ptr<lab::Cluster> cluster = joined.take();
  lab::NeighbourSettings& settings = arguments.settings;
  settings.threads = arguments.threads.value_or(lab::usual_threads(*cluster));
  auto read = lab::read_positions(arguments.in);
  if (!read.ok()) fail(read.error());
  lab::PositionList positions = read.take();
  if (arguments.limit) draw_positions(positions, *arguments.limit, settings.seed);
  const Interrupt interrupt;
  ClusterProgress progress("positions", *cluster);
  const auto report = lab::label_neighbours(positions, settings, arguments.out, *cluster, interrupt,
                                            std::ref(progress));
  progress.end();
  if (!report.ok()) fail(report.error());
  if (!cluster->is_first()) return;
  if (report.value().was_complete) fmt::print("{} is complete already\n", arguments.out);
  fmt::print("network: {}\n", report.value().network);
  fmt::print("{:<28}{:>15}\n", "positions", with_thousands(report.value().positions));
  fmt::print("{:<28}{:>15}\n", "rows", with_thousands(report.value().rows));
}

}  // namespace

void add_data_neighbours(CLI::App& data) {
  CLI::App* const command = data.add_subcommand(
      "neighbours", "Lets a network label positions, and others a few moves away from them.");
  auto arguments = std::make_shared<NeighbourArguments>();
  lab::NeighbourSettings& settings = arguments->settings;
  command
      ->add_option("--in", arguments->in,
                   "FEN or EPD, plain or compressed, or the folder of a dataset")
      ->required()
      ->check(CLI::ExistingPath);
  command->add_option("--out", arguments->out, "folder of the new dataset")->required();
  command->add_option("--net", settings.network, "a network, by name or path")->required();
  command->add_option("--count", settings.neighbours, "neighbours of each position")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  command->add_option("--longest", settings.longest, "moves from a position to a neighbour")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->add_option("--further", settings.further, "the chance of each move after the first")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_option("--captures", settings.captures, "how often a move takes, where it can")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_option("--seed", settings.seed, "for draw and moves")->capture_default_str();
  command->add_option("--limit", arguments->limit, "so many given positions, drawn at random [all]")
      ->check(CLI::PositiveNumber);
  command->add_option("--segment", settings.segment, "given positions in one file")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--threads", arguments->threads, "[one for each core]")
      ->check(CLI::Range(1, 1024));
  command->footer(
      "\nExample:\n"
      "  aleph data neighbours --in moves --out set --net nn-ad9b42354671 --count 3\n"
      "The score is the network's own value in internal units, as with label --plain. Positions "
      "in\n"
      "check are left out. Work that was stopped goes on when it is started again with the same\n"
      "words.");
  command->callback([arguments] { run_neighbours(*arguments); });
}

}  // namespace aleph::apps
