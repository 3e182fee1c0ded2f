#include "lab/match/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/progress.h"

namespace aleph::lab {
namespace {

std::string estimate_text(const Estimate& estimate) {
  if (std::isinf(estimate.value)) return estimate.value > 0 ? "+inf" : "-inf";
  if (std::isinf(estimate.error)) return fmt::format("{:+.1f} +- inf", estimate.value);
  return fmt::format("{:+.1f} +- {:.1f}", estimate.value, estimate.error);
}

double percent(double part, double whole) { return whole == 0 ? 0 : 100 * part / whole; }

double score_percent(const Wdl& games) {
  return percent(games.points(), static_cast<double>(games.games()));
}

// From pairs as soon as there are some; single games until then.
Strength strength_of(const EngineStanding& engine) {
  return engine.pairs.pairs() > 0 ? strength(engine.pairs) : strength(engine.games);
}

std::string pairs_text(const Pentanomial& pairs) {
  return fmt::format("[{}]", fmt::join(pairs.count, ", "));
}

std::string sprt_text(const EngineStanding& engine, const SprtSettings& sprt) {
  const SprtBounds bounds = sprt_bounds(sprt);
  const double llr = sprt_llr(engine.pairs, engine.games, sprt);
  const SprtVerdict verdict = sprt_verdict(llr, sprt);
  const char* const words = verdict == SprtVerdict::AcceptH1   ? ", H1 accepted"
                            : verdict == SprtVerdict::AcceptH0 ? ", H0 accepted"
                                                               : "";
  return fmt::format("LLR {:.2f} ({:.2f}, {:.2f}) [{:g}, {:g}] {}{}", llr, bounds.lower,
                     bounds.upper, sprt.elo0, sprt.elo1, to_text(sprt.model), words);
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string speed_text(const Standings& standings, const ReportContext& context) {
  const double played = static_cast<double>(standings.games() - context.earlier_games);
  const double seconds = context.elapsed.count();
  if (played <= 0 || seconds <= 0) return "";
  const double left =
      static_cast<double>(context.total_games) - static_cast<double>(standings.games());
  std::string text = fmt::format("{:.0f} games an hour", 3600 * played / seconds);
  if (left > 0) text += fmt::format(", {} left", duration_text(left * seconds / played));
  return text;
}

std::string two_engines_table(const Standings& standings, const ReportContext& context) {
  const EngineStanding& engine = standings.engines()[0];
  const Strength result = strength_of(engine);
  const Wdl& games = engine.games;
  std::string out =
      fmt::format("{} against {}: {} of {} games, +{} ={} -{}, {:.2f} %\n", engine.name,
                  standings.engines()[1].name, standings.games(), context.total_games, games.wins,
                  games.draws, games.losses, score_percent(games));
  out += fmt::format("  Elo {}, nElo {}, LOS {:.1f} %, draws {:.1f} %\n", estimate_text(result.elo),
                     estimate_text(result.normalized_elo), 100 * result.los,
                     percent(static_cast<double>(games.draws), static_cast<double>(games.games())));
  out += fmt::format("  pairs {} (0, 1/2, 1, 3/2, 2 points)\n", pairs_text(engine.pairs));
  if (context.settings.sprt)
    out += fmt::format("  {}\n", sprt_text(engine, *context.settings.sprt));
  return out;
}

std::string many_engines_table(const Standings& standings, const ReportContext& context) {
  std::vector<const EngineStanding*> ranks;
  std::size_t width = 6;
  for (const EngineStanding& engine : standings.engines()) {
    ranks.push_back(&engine);
    width = std::max(width, engine.name.size());
  }
  std::ranges::stable_sort(ranks, [](const EngineStanding* a, const EngineStanding* b) {
    return score_percent(a->games) > score_percent(b->games);
  });
  std::string out = fmt::format("{} of {} games\n", standings.games(), context.total_games);
  out += fmt::format("  {:{}}  {:>16}  {:>6}  {:>6} {:>6} {:>6}  {:>7}  {}\n", "engine", width,
                     "Elo", "games", "+", "=", "-", "score", "pairs");
  for (const EngineStanding* engine : ranks)
    out += fmt::format("  {:{}}  {:>16}  {:>6}  {:>6} {:>6} {:>6}  {:>5.1f} %  {}\n", engine->name,
                       width, estimate_text(strength_of(*engine).elo), engine->games.games(),
                       engine->games.wins, engine->games.draws, engine->games.losses,
                       score_percent(engine->games), pairs_text(engine->pairs));
  return out;
}

std::string faults_text(const EngineStanding& engine) {
  std::string text;
  const auto add = [&](EndKind kind, std::string_view what) {
    const std::uint64_t count = engine.faults_of(kind);
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(EndKind::Crash, "crashed");
  add(EndKind::Hang, "hung");
  add(EndKind::TimeLoss, "lost on time");
  add(EndKind::IllegalMove, "illegal moves");
  return text.empty() ? "none" : text;
}

}  // namespace

std::string standing_line(const Standings& standings, const ReportContext& context) {
  std::string out = fmt::format("games {}/{}", standings.games(), context.total_games);
  if (standings.engines().size() == 2) {
    const EngineStanding& engine = standings.engines()[0];
    const Strength result = strength_of(engine);
    out += fmt::format("  +{} ={} -{}  {:.2f} %  Elo {}  nElo {}  LOS {:.1f} %  pairs {}",
                       engine.games.wins, engine.games.draws, engine.games.losses,
                       score_percent(engine.games), estimate_text(result.elo),
                       estimate_text(result.normalized_elo), 100 * result.los,
                       pairs_text(engine.pairs));
    if (context.settings.sprt) out += "  " + sprt_text(engine, *context.settings.sprt);
  } else {
    for (const EngineStanding& engine : standings.engines())
      out += fmt::format("  {} {}/{}", engine.name, engine.games.points(), engine.games.games());
  }
  if (const std::string speed = speed_text(standings, context); !speed.empty()) out += "  " + speed;
  return out;
}

std::string standing_table(const Standings& standings, const ReportContext& context) {
  std::string out = standings.engines().size() == 2 ? two_engines_table(standings, context)
                                                    : many_engines_table(standings, context);
  if (const std::string speed = speed_text(standings, context); !speed.empty())
    out += fmt::format("  {}\n", speed);
  return out;
}

std::string engine_summary(const Standings& standings) {
  std::string out;
  for (const EngineStanding& engine : standings.engines()) {
    const SideTotals& totals = engine.totals;
    const auto mean = [](double sum, std::uint64_t count) {
      return count == 0 ? 0 : sum / static_cast<double>(count);
    };
    const double node_seconds = std::chrono::duration<double>(totals.time_with_nodes).count();
    const double speed = node_seconds > 0 ? static_cast<double>(totals.nodes) / node_seconds : 0;
    out += fmt::format(
        "{}: faults: {}; depth {:.1f}, {} nodes/s, {:.1f} ms a move\n", engine.name,
        faults_text(engine), mean(static_cast<double>(totals.depth_sum), totals.moves_with_depth),
        with_thousands(static_cast<std::uint64_t>(speed)),
        mean(std::chrono::duration<double, std::milli>(totals.time).count(), totals.moves));
    if (totals.pv_lines > 0)
      out += fmt::format("{}: {} of {} lines have an illegal move\n", engine.name,
                         totals.bad_pv_lines, totals.pv_lines);
  }
  if (!standings.bad_pv().empty())
    out += fmt::format("first illegal line: {}\n", standings.bad_pv());
  return out;
}

}  // namespace aleph::lab
