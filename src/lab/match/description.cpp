#include "lab/match/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/text.h"

namespace aleph::lab {
namespace {

using M = MatchDescription;

template <class T>
Status status_of(const Result<T>& result) {
  if (!result.ok()) return Error{result.error()};
  return Status::success();
}
Status check_draw(std::span<const std::string> words) { return status_of(parse_draw_rule(words)); }
Status check_resign(std::span<const std::string> words) {
  return status_of(parse_resign_rule(words));
}
Status check_sprt(std::span<const std::string> words) { return status_of(parse_sprt(words)); }

constexpr std::array kKeys{
    MatchKey{"gauntlet", FlagKey{&M::gauntlet}, "the first engine against each other one"},
    MatchKey{"games", WholeKey{&M::games, 1, 100'000'000}, "games between every two engines [100]"},
    MatchKey{"rounds", WholeKey{&M::rounds, 1, 50'000'000}, "pairs of games instead"},
    MatchKey{"concurrency", WholeKey{&M::concurrency, 1, 4096}, "games at a time"},
    MatchKey{"openings", TextKey{&M::openings}, "EPD or PGN file, plain or compressed"},
    MatchKey{"order", ChoiceKey{&M::order, {"random", "sequential"}}, "of the openings"},
    MatchKey{"seed", SeedKey{&M::seed}, "for the random order"},
    MatchKey{"plies", WholeKey{&M::plies, 1, 10'000},
             "moves of either side to take from PGN openings [all]"},
    MatchKey{"variant", ChoiceKey{&M::variant, {"standard", "fischerandom"}}, "rules"},
    MatchKey{"draw", RuleKey{&M::draw, 3, check_draw},
             "adjudicate draws: movenumber=34 movecount=8 score=20, or others"},
    MatchKey{"resign", RuleKey{&M::resign, 3, check_resign},
             "adjudicate wins: movecount=3 score=600 twosided=false, or others"},
    MatchKey{"maxmoves", WholeKey{&M::most_moves, 1, 100'000}, "longer games are drawn"},
    MatchKey{"sprt", RuleKey{&M::sprt, 5, check_sprt},
             "stop when decided: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized, or others "
             "(logistic, bayesian)"},
    MatchKey{"timemargin", DecimalKey{&M::margin_ms, 0, 1e6},
             "milliseconds a clock may be overstepped by"},
    MatchKey{"maxthink", WholeKey{&M::think_seconds, 1, 1'000'000},
             "seconds for a move where there is no clock (nodes, depth)"},
    MatchKey{"readytimeout", DecimalKey{&M::ready_seconds, 0.1, 1e5},
             "seconds for uciok and readyok"},
    MatchKey{"restart", FlagKey{&M::restart}, "start the engines anew for each game"},
    MatchKey{"check-pv", FlagKey{&M::check_pv}, "check that the lines of engines are legal"},
    MatchKey{"event", TextKey{&M::event}, "for the PGN"},
    MatchKey{"pgn", TextKey{&M::pgn}, "append the games to this file"},
    MatchKey{"state", TextKey{&M::state}, "for --resume [FILE.state beside the PGN]"},
    MatchKey{"resume", FlagKey{&M::resume},
             "continue the match of the state file, if there is one"},
    MatchKey{"force-resume", FlagKey{&M::force_resume},
             "the same, even if the program of an engine has changed"},
    MatchKey{"report-every", WholeKey{&M::report_every, 1, 1'000'000},
             "games between lines, off a terminal [10]"},
    MatchKey{"fail-on-fault", FlagKey{&M::fail_on_fault},
             "exit code 1 if an engine failed in a game or gave an illegal line"},
};

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// Empty if it is not clear.
std::string name_of(const Words& words, const Words& common) {
  constexpr std::string_view kName = "name=";
  for (auto word = words.rbegin(); word != words.rend(); ++word)
    if (word->starts_with(kName)) return word->substr(kName.size());
  const Result<EngineSettings> engine = parse_engine(words, common);
  return engine.ok() ? engine.value().engine.name : "";
}

// Takes over value if it is there.
template <class T, class Into>
Status assign(Result<T> value, Into& into) {
  if (!value.ok()) return Error{value.error()};
  into = value.take();
  return Status::success();
}

Status understand_rules(const M& match, MatchSettings& settings) {
  Adjudication& rules = settings.adjudication;
  if (match.draw)
    if (Status s = assign(parse_draw_rule(*match.draw), rules.draw); !s.ok()) return s;
  if (match.resign)
    if (Status s = assign(parse_resign_rule(*match.resign), rules.resign); !s.ok()) return s;
  if (match.sprt)
    if (Status s = assign(parse_sprt(*match.sprt), settings.sprt); !s.ok()) return s;
  if (match.most_moves > 0) rules.most_moves = match.most_moves;
  return Status::success();
}

}  // namespace

MatchDescription MatchDescription::with_defaults() {
  MatchDescription match;
  match.concurrency = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return match;
}

std::span<const MatchKey> match_keys() { return kKeys; }

void add_words(MatchDescription& match, const Words& each, const std::vector<Words>& engines) {
  for (Words& engine : match.engines) append(engine, each);
  const std::size_t known = match.engines.size();
  for (const Words& words : engines) {
    const std::string name = name_of(words, match.each);
    const auto end = match.engines.begin() + static_cast<std::ptrdiff_t>(known);
    const auto same = std::find_if(match.engines.begin(), end, [&](const Words& other) {
      return !name.empty() && name_of(other, match.each) == name;
    });
    if (same != end) {
      append(*same, words);
      continue;
    }
    match.engines.push_back(each);
    append(match.engines.back(), words);
  }
}

Result<MatchSettings> understand(const MatchDescription& match) {
  MatchSettings settings;
  if (match.engines.empty()) return Error{"there is no engine: name two with --engine"};
  for (const Words& words : match.engines) {
    settings.engines.emplace_back();
    if (Status s = assign(parse_engine(words, match.each), settings.engines.back()); !s.ok())
      return Error{s.error()};
  }
  if (Status s = understand_rules(match, settings); !s.ok()) return Error{s.error()};
  settings.gauntlet = match.gauntlet;
  const int games = match.games > 0 ? match.games : 100;
  settings.rounds = match.rounds > 0 ? match.rounds : (games + 1) / 2;
  settings.concurrency = match.concurrency;
  settings.seed = match.seed;
  settings.openings.file = match.openings;
  settings.openings.random = match.order == "random";
  if (match.plies > 0) settings.openings.plies = match.plies;
  settings.chess960 = match.variant == "fischerandom";
  settings.time_margin = Milliseconds(static_cast<std::int64_t>(match.margin_ms));
  settings.longest_think = std::chrono::seconds(match.think_seconds);
  settings.timeouts.ready = Milliseconds(static_cast<std::int64_t>(match.ready_seconds * 1000));
  settings.restart = match.restart;
  settings.check_pv = match.check_pv;
  settings.event = match.event;
  settings.pgn_file = match.pgn;
  settings.state_file = match.state;
  if (settings.state_file.empty() && !settings.pgn_file.empty())
    settings.state_file = settings.pgn_file + ".state";
  settings.resume = match.resume || match.force_resume;
  settings.force_resume = match.force_resume;
  if (settings.resume && settings.state_file.empty())
    return Error{"--resume needs --pgn or --state"};
  settings.report_every = match.report_every;
  return settings;
}

}  // namespace aleph::lab
