#include "spsa_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "base/mapped_file.h"
#include "base/progress.h"
#include "base/text.h"
#include "common/arguments.h"
#include "lab/match/description.h"
#include "lab/spsa/spsa_run.h"

namespace aleph::apps {
namespace {

constexpr const char* kFooter = R"(
Example:
  aleph tune > numbers.txt
  aleph spsa --engine cmd=bin/aleph option.Hash=16 --params numbers.txt --tc 8+0.08 --games 20000 \
      --openings UHO_4060_v4.epd.zst --concurrency 2 --state tuning.json --csv tuning.csv

ENGINE is a list of name=value words as for aleph match: cmd=, dir=, option.NAME=VALUE. Each PARAM
is an option of the engine, NAME,value,low,high,step; a line of `aleph tune` will do. The step is
how far a number is moved at the end of the tuning: take one that changes play a little.
Ctrl-C ends a tuning; --resume goes on from the state file.
Exit code: 0 done, 1 failed or stopped before the end, 2 wrong usage.)";

struct SpsaWords {
  lab::Words engine, params;
  std::string params_file, tc, openings, state, csv;
  std::uint64_t nodes = 0, seed = 1, games = 0, pairs_each = 8;
  int depth = 0, concurrency = 1, most_moves = 0;
  double rate = 0.002;
  bool resume = false, has_draw = false, has_resign = false;
};

int refuse(const std::string& sentence) {
  fmt::print(stderr, "aleph spsa: {}\nFor help: aleph spsa --help\n", sentence);
  return kWrongUsage;
}

void describe(CLI::App& app, SpsaWords& words) {
  app.footer(kFooter);
  app.add_option("--engine", words.engine, "the engine")
      ->type_name("ENGINE")
      ->expected(1, 1'000'000)
      ->required();
  app.add_option("--param", words.params, "a parameter, once for each")->type_name("PARAM");
  app.add_option("--params", words.params_file, "a file with a parameter on each line");
  app.add_option("--games", words.games, "of the whole tuning")->required();
  app.add_option("--tc", words.tc, "time control: 8+0.08");
  app.add_option("--nodes", words.nodes, "for each move");
  app.add_option("--depth", words.depth, "for each move");
  app.add_option("--pairs", words.pairs_each, "pairs of games between two updates")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--rate", words.rate, "of learning, at the end")
      ->check(CLI::Range(1e-6, 1.0))
      ->capture_default_str();
  app.add_option("--openings", words.openings, "EPD or PGN file, plain or compressed");
  app.add_option("--concurrency", words.concurrency, "games at a time")->capture_default_str();
  app.add_option("--maxmoves", words.most_moves, "longer games are drawn");
  app.add_flag("--draw", words.has_draw, "adjudicate draws, as aleph match does");
  app.add_flag("--resign", words.has_resign, "adjudicate wins, as aleph match does");
  app.add_option("--seed", words.seed, "of openings and of the directions")->capture_default_str();
  app.add_option("--state", words.state, "a file to go on from");
  app.add_option("--csv", words.csv, "a table of the numbers over time");
  app.add_flag("--resume", words.resume, "go on from the state file");
}

Result<std::vector<lab::SpsaParameter>> parameters_of(const SpsaWords& words) {
  lab::Words lines = words.params;
  if (!words.params_file.empty()) {
    const auto file = MappedFile::open(words.params_file);
    if (!file.ok()) return Error{file.error()};
    for (std::string_view rest = file.value().text(); !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
      if (const auto line = trim(rest.substr(0, end + 1)); !line.empty()) lines.emplace_back(line);
      rest.remove_prefix(end + 1);
    }
  }
  std::vector<lab::SpsaParameter> parameters;
  for (const std::string& line : lines) {
    auto parameter = lab::parse_spsa_parameter(line);
    if (!parameter.ok()) return Error{parameter.error()};
    parameters.push_back(parameter.take());
  }
  if (parameters.empty()) return Error{"--param or --params should name what is tuned"};
  return parameters;
}

Result<lab::SpsaSettings> settings_of(const SpsaWords& words) {
  lab::MatchDescription match = lab::MatchDescription::with_defaults();
  for (const char* const name : {"name=plus", "name=minus"}) {
    lab::Words engine = words.engine;
    std::erase_if(engine, [](const std::string& word) { return word.starts_with("name="); });
    engine.emplace_back(name);
    match.engines.push_back(std::move(engine));
  }
  if (!words.tc.empty()) match.each.push_back("tc=" + words.tc);
  if (words.nodes > 0) match.each.push_back(fmt::format("nodes={}", words.nodes));
  if (words.depth > 0) match.each.push_back(fmt::format("depth={}", words.depth));
  match.rounds = static_cast<int>(words.pairs_each);
  match.concurrency = words.concurrency;
  match.openings = words.openings;
  match.most_moves = words.most_moves;
  if (words.has_draw) match.draw.emplace();
  if (words.has_resign) match.resign.emplace();
  auto understood = understand(match);
  if (!understood.ok()) return Error{understood.error()};
  auto parameters = parameters_of(words);
  if (!parameters.ok()) return Error{parameters.error()};
  lab::SpsaSettings settings;
  settings.match = understood.take();
  settings.parameters = parameters.take();
  settings.schedule.pairs = (words.games + 1) / 2;
  settings.schedule.rate = words.rate;
  settings.pairs_each = words.pairs_each;
  settings.seed = words.seed;
  settings.state_file = words.state;
  settings.csv_file = words.csv;
  settings.resume = words.resume;
  return settings;
}

void print_numbers(const std::vector<lab::SpsaParameter>& before,
                   const std::vector<lab::SpsaParameter>& after) {
  for (std::size_t i = 0; i < after.size(); ++i)
    fmt::print("{:<28} {:>8.6g} -> {:.1f}\n", after[i].name, before[i].value, after[i].value);
}

// The first Ctrl-C asks the tuning to end; the second ends the program.
const Interrupt* interrupt_of_signals = nullptr;

void on_signal(int number) {
  interrupt_of_signals->raise();
  std::signal(number, SIG_DFL);
}

}  // namespace

int run_spsa(Arguments arguments) {
  CLI::App app("Tunes options of an engine by games against itself (SPSA).", "aleph spsa");
  SpsaWords words;
  describe(app, words);
  if (const auto over = parse_arguments(app, arguments)) return *over;
  const auto understood = settings_of(words);
  if (!understood.ok()) return refuse(understood.error());
  const lab::SpsaSettings& settings = understood.value();

  const Interrupt interrupt;
  interrupt_of_signals = &interrupt;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  const auto listener = [&](const lab::SpsaProgress& progress) {
    fmt::print("{} of {} pairs  +{} ={} -{}", with_thousands(progress.pairs),
               with_thousands(settings.schedule.pairs), progress.games.wins, progress.games.draws,
               progress.games.losses);
    if (progress.faults > 0) fmt::print("  {} faults", progress.faults);
    fmt::print("\n");
    std::fflush(stdout);
  };
  const auto end = lab::run_spsa(settings, listener, interrupt);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (!end.ok()) {
    fmt::print(stderr, "aleph spsa: {}\n", end.error());
    return kFailed;
  }
  print_numbers(settings.parameters, end.value().parameters);
  return end.value().interrupted ? kFailed : kDone;
}

}  // namespace aleph::apps
