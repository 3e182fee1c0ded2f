#include "uci_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/text.h"
#include "base/version.h"
#include "common/arguments.h"
#include "engine/bench.h"
#include "engine/speedtest.h"
#include "uci/options.h"
#include "uci/session.h"

namespace aleph::apps {

int run_uci(Arguments arguments) {
  CLI::App app("Speaks UCI on standard input and output, which is how GUIs talk to engines.",
               "aleph uci");
  if (const auto over = parse_arguments(app, arguments)) return *over;
  std::ios::sync_with_stdio(false);
  if (::isatty(STDIN_FILENO) != 0)
    fmt::print(
        "Aleph {} speaks UCI here: help lists commands, quit ends it. "
        "aleph --help shows what else it can do.\n",
        version());
  std::fflush(stdout);
  uci::Session session(std::cout);
  session.run(std::cin);
  return kDone;
}

std::optional<int> run_uci_lines(Arguments lines) {
  std::string_view first = lines.front();
  if (!uci::Session::is_command(next_word(first))) return std::nullopt;
  uci::Session session(std::cout);
  for (const std::string_view line : lines) {
    if (!session.execute(line)) break;
    session.wait();
  }
  return kDone;
}

int run_options(Arguments arguments) {
  CLI::App app("Prints the UCI options as a Markdown table.", "aleph options");
  if (const auto over = parse_arguments(app, arguments)) return *over;
  fmt::print(
      "# Options\n\nWhat `setoption name NAME value VALUE` accepts; made by `aleph options`.\n\n{}",
      uci::describe_options());
  return kDone;
}

int run_tune(Arguments arguments) {
  CLI::App app(
      "Prints the numbers of the search that can be tuned, one a line, as OpenBench wants them for "
      "SPSA: name, type, value, least, most, last step, last rate of learning. A build for tuning "
      "(make TUNE=1) has each as a UCI option; in others they are constants.",
      "aleph tune");
  if (const auto over = parse_arguments(app, arguments)) return *over;
  fmt::print("{}", uci::describe_tunables());
  return kDone;
}

int run_bench(Arguments arguments) {
  CLI::App app(
      "Searches fixed positions and prints the number of nodes, which is the same on every machine "
      "and in every run, and the speed. The last line is what OpenBench reads.",
      "aleph bench");
  std::vector<std::string> words;
  std::string network, quantiles;
  app.add_option("words", words,
                 "hash in MiB (16), threads (1), limit (12), positions (default, current or a file "
                 "of FENs), kind of limit (depth, nodes, movetime, perft, eval)");
  app.add_option("--net", network, "network: a name such as nn-ad9b42354671, or a file");
  app.add_option("--quantiles", quantiles,
                 "quantile network made for that network: a name or a file");
  if (const auto over = parse_arguments(app, arguments)) return *over;

  auto request = engine::parse_bench({words.begin(), words.end()});
  if (!request.ok()) {
    fmt::print(stderr, "aleph {}\n", request.error());
    return kWrongUsage;
  }
  engine::BenchRequest bench = request.take();
  bench.eval_file = network;
  bench.quantile_file = quantiles;
  const auto result = engine::run_bench(bench, {}, [](const std::string& text) {
    fmt::print("{}\n", text);
    std::fflush(stdout);
  });
  if (!result.ok()) {
    fmt::print(stderr, "aleph {}\n", result.error());
    return kFailed;
  }
  fmt::print("{}\n", result.value().summary());
  return kDone;
}

int run_speedtest(Arguments arguments) {
  CLI::App app(
      "Searches the positions of five famous games in order, as a game goes, and says how many "
      "nodes per second that makes. Takes 30 seconds and a short warm-up, unless told otherwise.",
      "aleph speedtest");
  std::vector<std::string> words;
  std::string network;
  app.add_option("words", words,
                 "threads (all processors), hash in MiB (128 a thread, at most a quarter of the "
                 "memory), seconds (30)");
  app.add_option("--net", network, "network: a name such as nn-ad9b42354671, or a file");
  if (const auto over = parse_arguments(app, arguments)) return *over;

  auto request = engine::parse_speedtest({words.begin(), words.end()});
  if (!request.ok()) {
    fmt::print(stderr, "aleph {}\n", request.error());
    return kWrongUsage;
  }
  engine::SpeedtestRequest speedtest = request.take();
  speedtest.eval_file = network;
  std::optional<aleph::Progress> progress;  // begins with the first position
  engine::SpeedtestListener listener;
  listener.said = [&](const std::string& text) {
    if (progress) progress->wipe();
    fmt::print("{}\n", text);
    std::fflush(stdout);
  };
  listener.on_position = [&](std::size_t done, std::size_t total) {
    if (!progress) progress.emplace("positions", total);
    progress->update(done);
  };
  const auto result = engine::run_speedtest(speedtest, listener);
  progress.reset();
  if (!result.ok()) {
    fmt::print(stderr, "aleph {}\n", result.error());
    return kFailed;
  }
  fmt::print("\n{}\n", result.value().summary());
  return kDone;
}

}  // namespace aleph::apps
