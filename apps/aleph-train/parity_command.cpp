#include "parity_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>

#include "common/arguments.h"
#include "nets/weights/net_file.h"
#include "train/parity.h"
#include "train/run_export.h"

namespace aleph::apps {

int run_train_parity(Arguments arguments) {
  std::string file;
  std::size_t positions = 1000;
  CLI::App app(
      "Runs a network with the engine's code and with libtorch, and shows how far the two "
      "differ.",
      "aleph train parity");
  app.add_option("net", file, "a network file")->required();
  app.add_option("--positions", positions, "of random games")
      ->check(CLI::Range(std::size_t{1}, std::size_t{10'000'000}))
      ->capture_default_str();
  if (const auto over = parse_arguments(app, arguments)) return *over;

  const auto network = nets::read_network(file);
  if (!network.ok()) {
    fmt::print(stderr, "aleph train parity: {}\n", network.error());
    return kFailed;
  }
  const auto report = train::check_parity(network.value(), positions);
  if (!report.ok()) {
    fmt::print(stderr, "aleph train parity: {}\n", report.error());
    return kFailed;
  }
  fmt::print("positions: {}\n", report.value().positions);
  fmt::print("{:<16}{:>16}{:>16}{:>16}\n", "head", "largest number", "largest diff.", "mean diff.");
  bool is_within = true;
  for (const auto& head : report.value().heads) {
    fmt::print("{:<16}{:>16.4f}{:>16.2e}{:>16.2e}\n", head.name, head.scale, head.max_difference,
               head.mean_difference);
    is_within = is_within && head.max_difference <= train::kParityLimit * std::max(1.0, head.scale);
  }
  if (is_within) return kDone;
  fmt::print(stderr, "aleph train parity: the engine does not run this network as libtorch does\n");
  return kFailed;
}

}  // namespace aleph::apps
