#include "match_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/child_process.h"
#include "base/overloaded.h"
#include "base/result.h"
#include "common/arguments.h"
#include "lab/match/config.h"
#include "lab/match/console.h"
#include "lab/match/description.h"
#include "lab/match/runner.h"

namespace aleph::apps {
namespace {

using lab::Words;

// What the command line says beyond the fields of the description.
struct Typed {
  std::string config;
  std::vector<Words> engines;
  Words each;
  std::map<std::string_view, Words> rules;
};

constexpr const char* kFooter = R"(
ENGINE is a list of name=value words:
  name=NAME  cmd="PROGRAM ARGUMENTS"  dir=FOLDER  option.NAME=VALUE
  tc=8+0.08 | tc=40/60+0.5 (seconds)  movetime=SECONDS  nodes=N  depth=N

Examples:
  aleph match --engine name=new cmd=bin/aleph --engine name=old cmd=old/aleph \
      --each tc=8+0.08 option.Hash=16 --openings UHO_4060_v4.epd.zst --games 20000 \
      --sprt elo0=0 elo1=5 --draw --resign --pgn match.pgn
  aleph match --engine cmd=bin/aleph --engine cmd=stockfish --each nodes=10000 --games 100
  aleph match --config configs/match/sprt.yml --games 100 --each nodes=10000

Each opening is played twice, with both colours. Elo, its 95 % error and the SPRT come from such
pairs. An engine that crashes, hangs, oversteps its time or plays an illegal move loses the game;
the match goes on. With --pgn, a state file beside it (FILE.state) lets --resume continue a match
that was cut off. Ctrl-C ends a match with the result so far.
Exit code: 0 done, 1 failed or stopped before the end, 2 wrong usage.)";

void describe_key(CLI::App& app, const lab::MatchKey& key, lab::MatchDescription& match,
                  Typed& typed) {
  const std::string name = fmt::format("--{}", key.name), help(key.help);
  const auto option = [&](auto& field) { return app.add_option(name, field, help); };
  std::visit(
      Overloaded{
          [&](const lab::WholeKey& whole) {
            option(match.*whole.field)
                ->check(CLI::Range(whole.low, whole.high))
                ->capture_default_str();
            // Nothing given is no default to show.
            if (match.*whole.field == 0) app.get_option(name)->default_str("");
          },
          [&](const lab::SeedKey& seed) { option(match.*seed.field)->capture_default_str(); },
          [&](const lab::DecimalKey& decimal) {
            option(match.*decimal.field)
                ->check(CLI::Range(decimal.low, decimal.high))
                ->capture_default_str();
          },
          [&](const lab::FlagKey& flag) { app.add_flag(name, match.*flag.field, help); },
          [&](const lab::ChoiceKey& choice) {
            option(match.*choice.field)
                ->check(CLI::IsMember(
                    std::vector<std::string>(choice.values.begin(), choice.values.end())))
                ->capture_default_str();
          },
          [&](const lab::TextKey& text) { option(match.*text.field)->capture_default_str(); },
          [&](const lab::RuleKey& rule) {
            option(typed.rules[key.name])->type_name("RULE")->expected(0, rule.most_words);
          },
      },
      key.kind);
}

void describe(CLI::App& app, lab::MatchDescription& match, Typed& typed) {
  app.footer(kFooter);
  app.add_option("--config", typed.config, "a match in a YAML file; other words count more");
  app.add_option("--engine", typed.engines, "an engine, once for each")
      ->type_name("ENGINE")
      ->expected(1, 1'000'000);
  app.add_option("--each", typed.each, "the same for all engines")
      ->type_name("ENGINE")
      ->expected(1, 1'000'000);
  for (const lab::MatchKey& key : lab::match_keys()) describe_key(app, key, match, typed);
  app.get_option("--rounds")->excludes(app.get_option("--games"));
}

// The file is read before the other words, which then change what it said.
std::optional<std::string> config_file(Arguments arguments) {
  constexpr std::string_view kOption = "--config";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == kOption && i + 1 < arguments.size()) return std::string(arguments[i + 1]);
    if (word.starts_with(kOption) && word.substr(kOption.size()).starts_with('='))
      return std::string(word.substr(kOption.size() + 1));
  }
  return std::nullopt;
}

// Brings what was typed into the description.
void merge(const CLI::App& app, Typed& typed, lab::MatchDescription& match) {
  for (const lab::MatchKey& key : lab::match_keys()) {
    const auto* const rule = std::get_if<lab::RuleKey>(&key.kind);
    if (rule == nullptr || app.count(fmt::format("--{}", key.name)) == 0) continue;
    Words& words = typed.rules[key.name];
    std::erase(words, "");  // CLI11 gives an option without words one empty word
    match.*rule->field = words;
  }
  if (app.count("--games") > 0) match.rounds = 0;
  if (app.count("--rounds") > 0) match.games = 0;
  add_words(match, typed.each, typed.engines);
}

int refuse(const std::string& sentence) {
  fmt::print(stderr, "aleph match: {}\nFor help: aleph match --help\n", sentence);
  return kWrongUsage;
}

// The first Ctrl-C asks the match to end; the second ends the program.
const Interrupt* interrupt_of_signals = nullptr;

void on_signal(int number) {
  interrupt_of_signals->raise();
  std::signal(number, SIG_DFL);
}

}  // namespace

int run_match(Arguments arguments) {
  CLI::App app("Plays UCI engines against each other.", "aleph match");
  lab::MatchDescription match = lab::MatchDescription::with_defaults();
  if (const auto file = config_file(arguments)) {
    Result<lab::MatchDescription> config = lab::read_match_config(*file);
    if (!config.ok()) return refuse(config.error());
    match = config.take();
  }
  Typed typed;
  describe(app, match, typed);
  if (const auto over = parse_arguments(app, arguments)) return *over;
  merge(app, typed, match);
  const Result<lab::MatchSettings> understood = understand(match);
  if (!understood.ok()) return refuse(understood.error());
  const lab::MatchSettings& settings = understood.value();
  const Interrupt interrupt;
  interrupt_of_signals = &interrupt;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);

  lab::MatchConsole console(settings, settings.report_every);
  const lab::MatchListener listener = console.listener();
  Result<lab::MatchEnd> end = lab::run_match(settings, listener, interrupt);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (!end.ok()) {
    fmt::print(stderr, "aleph match: {}\n", end.error());
    return kFailed;
  }
  console.finish(end.value());
  const lab::Standings& standings = end.value().standings;
  if (match.fail_on_fault && (standings.any_fault() || standings.any_bad_pv())) return kFailed;
  return end.value().why == lab::MatchEnd::Why::Interrupted ? kFailed : kDone;
}

}  // namespace aleph::apps
