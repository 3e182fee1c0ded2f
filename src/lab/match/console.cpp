#include "lab/match/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace aleph::lab {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(200);

// A reader that has gone must not end the match: failure shows when the program ends.
void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

// Cuts lines to the width of the terminal, since one that wraps could not be wiped.
std::string fit_to_terminal(const std::string& text) {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return text;
  std::string result;
  std::size_t column = 0;
  for (const char c : text) {
    column = c == '\n' ? 0 : column + 1;
    if (column < size.ws_col) result += c;
  }
  return result;
}

}  // namespace

MatchConsole::MatchConsole(const MatchSettings& settings, int every)
    : settings_(settings),
      every_(static_cast<std::uint64_t>(std::max(every, 0))),
      terminal_(::isatty(STDOUT_FILENO) != 0) {
  if (every_ == 0) every_ = 10;
}

MatchListener MatchConsole::listener() {
  return {[this](const Standings& standings, const Schedule& schedule) {
            on_start(standings, schedule);
          },
          [this](const GameSummary& game, const Fixture& fixture, const Standings& standings) {
            on_game(game, fixture, standings);
          }};
}

ReportContext MatchConsole::context() const {
  return {settings_, total_games_, earlier_games_, std::chrono::steady_clock::now() - start_};
}

void MatchConsole::on_start(const Standings& standings, const Schedule& schedule) {
  total_games_ = static_cast<std::uint64_t>(schedule.games());
  earlier_games_ = standings.games();
  start_ = std::chrono::steady_clock::now();
  if (earlier_games_ > 0) print(fmt::format("resuming after {} games\n", earlier_games_));
  if (terminal_) draw(standings);
}

void MatchConsole::on_game(const GameSummary& game, const Fixture& fixture,
                           const Standings& standings) {
  if (is_fault(game.kind)) {
    wipe();
    const auto name = [&](std::size_t side) {
      return settings_.engines[static_cast<std::size_t>(fixture.engines[side])].engine.name;
    };
    print(fmt::format("game {} ({} against {}): {} ({})\n", game.number + 1, name(0), name(1),
                      game.reason, to_text(game.kind)));
  }
  if (terminal_) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= next_draw_ || drawn_lines_ == 0) draw(standings);
  } else if (standings.games() % every_ == 0) {
    print(standing_line(standings, context()) + "\n");
  }
}

void MatchConsole::wipe() {
  if (drawn_lines_ > 0) print(fmt::format("\x1b[{}A\x1b[J", drawn_lines_));
  drawn_lines_ = 0;
}

void MatchConsole::draw(const Standings& standings) {
  const std::string table = fit_to_terminal(standing_table(standings, context()));
  wipe();
  print(table);
  drawn_lines_ = static_cast<int>(std::ranges::count(table, '\n'));
  next_draw_ = std::chrono::steady_clock::now() + kRedraw;
}

void MatchConsole::finish(const MatchEnd& end) {
  wipe();
  if (end.why == MatchEnd::Why::Interrupted) print("stopped before the end\n");
  print(standing_table(end.standings, context()) + engine_summary(end.standings));
}

}  // namespace aleph::lab
