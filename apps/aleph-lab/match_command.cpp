#include "match_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "base/child_process.h"
#include "base/result.h"
#include "common/arguments.h"
#include "lab/match/console.h"
#include "lab/match/runner.h"
#include "lab/match/settings.h"

namespace aleph::apps {
namespace {

using Words = std::vector<std::string>;

// As typed, before it is understood.
struct MatchArguments {
  std::vector<Words> engines;
  Words each, draw, resign, sprt;
  int games = 0, rounds = 0, plies = 0, most_moves = 0;
  double margin_ms = 20, ready_seconds = 10;
  int think_seconds = 120;
  std::string order = "random", variant = "standard";
  bool fail_on_fault = false;
  lab::MatchSettings settings;
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

Each opening is played twice, with both colours. Elo, its 95 % error and the SPRT come from such
pairs. An engine that crashes, hangs, oversteps its time or plays an illegal move loses the game;
the match goes on. With --pgn, a state file beside it (FILE.state) lets --resume continue a match
that was cut off. Ctrl-C ends a match with the result so far.
Exit code: 0 done, 1 failed or stopped before the end, 2 wrong usage.)";

void describe(CLI::App& app, MatchArguments& in) {
  lab::MatchSettings& settings = in.settings;
  settings.concurrency = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  app.footer(kFooter);
  app.add_option("--engine", in.engines, "an engine, once for each")
      ->type_name("ENGINE")
      ->required()
      ->expected(1, 1'000'000);
  app.add_option("--each", in.each, "the same for all engines")
      ->type_name("ENGINE")
      ->expected(1, 1'000'000);
  app.add_flag("--gauntlet", settings.gauntlet, "the first engine against each other one");
  auto* const games = app.add_option("--games", in.games, "games between every two engines [100]");
  games->check(CLI::Range(1, 100'000'000));
  app.add_option("--rounds", in.rounds, "pairs of games instead")
      ->check(CLI::Range(1, 50'000'000))
      ->excludes(games);
  app.add_option("--concurrency", settings.concurrency, "games at a time")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app.add_option("--openings", settings.openings.file, "EPD or PGN file, plain or compressed");
  app.add_option("--order", in.order, "of the openings")
      ->check(CLI::IsMember({"random", "sequential"}))
      ->capture_default_str();
  app.add_option("--seed", settings.seed, "for the random order")->capture_default_str();
  app.add_option("--plies", in.plies, "moves of either side to take from PGN openings [all]")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--variant", in.variant, "rules")
      ->check(CLI::IsMember({"standard", "fischerandom"}))
      ->capture_default_str();
  app.add_option("--draw", in.draw,
                 "adjudicate draws: movenumber=34 movecount=8 score=20, or others")
      ->type_name("RULE")
      ->expected(0, 3);
  app.add_option("--resign", in.resign,
                 "adjudicate wins: movecount=3 score=600 twosided=false, or others")
      ->type_name("RULE")
      ->expected(0, 3);
  app.add_option("--maxmoves", in.most_moves, "longer games are drawn")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--sprt", in.sprt,
                 "stop when decided: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized, or "
                 "others (logistic, bayesian)")
      ->type_name("TEST")
      ->expected(0, 5);
  app.add_option("--timemargin", in.margin_ms, "milliseconds a clock may be overstepped by")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  app.add_option("--maxthink", in.think_seconds,
                 "seconds for a move where there is no clock (nodes, depth)")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--readytimeout", in.ready_seconds, "seconds for uciok and readyok")
      ->check(CLI::Range(0.1, 1e5))
      ->capture_default_str();
  app.add_flag("--restart", settings.restart, "start the engines anew for each game");
  app.add_flag("--check-pv", settings.check_pv, "check that the lines of engines are legal");
  app.add_option("--event", settings.event, "for the PGN")->capture_default_str();
  app.add_option("--pgn", settings.pgn_file, "append the games to this file");
  app.add_option("--state", settings.state_file, "for --resume [FILE.state beside the PGN]");
  app.add_flag("--resume", settings.resume,
               "continue the match of the state file, if there is one");
  app.add_option("--report-every", settings.report_every,
                 "games between lines, off a terminal [10]")
      ->check(CLI::Range(1, 1'000'000));
  app.add_flag("--fail-on-fault", in.fail_on_fault,
               "exit code 1 if an engine failed in a game or gave an illegal line");
}

// Takes over value if it is there.
template <class T, class Into>
Status assign(Result<T> value, Into& into) {
  if (!value.ok()) return Error{value.error()};
  into = value.take();
  return Status::success();
}

Status understand_rules(const CLI::App& app, MatchArguments& in) {
  // CLI11 gives an option without words one empty word.
  for (Words* words : {&in.draw, &in.resign, &in.sprt}) std::erase(*words, "");
  lab::Adjudication& rules = in.settings.adjudication;
  if (app.count("--draw") > 0)
    if (Status s = assign(lab::parse_draw_rule(in.draw), rules.draw); !s.ok()) return s;
  if (app.count("--resign") > 0)
    if (Status s = assign(lab::parse_resign_rule(in.resign), rules.resign); !s.ok()) return s;
  if (app.count("--sprt") > 0)
    if (Status s = assign(lab::parse_sprt(in.sprt), in.settings.sprt); !s.ok()) return s;
  if (in.most_moves > 0) rules.most_moves = in.most_moves;
  return Status::success();
}

Status understand(const CLI::App& app, MatchArguments& in) {
  lab::MatchSettings& settings = in.settings;
  for (const Words& words : in.engines) {
    settings.engines.emplace_back();
    if (Status s = assign(lab::parse_engine(words, in.each), settings.engines.back()); !s.ok())
      return s;
  }
  if (Status s = understand_rules(app, in); !s.ok()) return s;
  const int games = in.games > 0 ? in.games : 100;
  settings.rounds = in.rounds > 0 ? in.rounds : (games + 1) / 2;
  settings.openings.random = in.order == "random";
  if (in.plies > 0) settings.openings.plies = in.plies;
  settings.chess960 = in.variant == "fischerandom";
  settings.time_margin = lab::Milliseconds(static_cast<std::int64_t>(in.margin_ms));
  settings.longest_think = std::chrono::seconds(in.think_seconds);
  settings.timeouts.ready = lab::Milliseconds(static_cast<std::int64_t>(in.ready_seconds * 1000));
  if (settings.state_file.empty() && !settings.pgn_file.empty())
    settings.state_file = settings.pgn_file + ".state";
  if (settings.resume && settings.state_file.empty())
    return Error{"--resume needs --pgn or --state"};
  return Status::success();
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
  MatchArguments in;
  describe(app, in);
  if (const auto over = parse_arguments(app, arguments)) return *over;
  if (const Status status = understand(app, in); !status.ok()) {
    fmt::print(stderr, "aleph match: {}\nFor help: aleph match --help\n", status.error());
    return kWrongUsage;
  }
  const Interrupt interrupt;
  interrupt_of_signals = &interrupt;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);

  lab::MatchConsole console(in.settings, in.settings.report_every);
  const lab::MatchListener listener = console.listener();
  Result<lab::MatchEnd> end = lab::run_match(in.settings, listener, interrupt);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (!end.ok()) {
    fmt::print(stderr, "aleph match: {}\n", end.error());
    return kFailed;
  }
  console.finish(end.value());
  const lab::Standings& standings = end.value().standings;
  if (in.fail_on_fault && (standings.any_fault() || standings.any_bad_pv())) return kFailed;
  return end.value().why == lab::MatchEnd::Why::Interrupted ? kFailed : kDone;
}

}  // namespace aleph::apps
