#pragma once

#include <chrono>
#include <string>

#include "lab/match/report.h"
#include "lab/match/runner.h"

// Shows a match while it is played: a table that is redrawn on a terminal, a line every few games
// elsewhere. Faults are told when they happen.
namespace aleph::lab {

class MatchConsole {
 public:
  // Draws on standard output. every: games between lines; 0: chosen here.
  MatchConsole(const MatchSettings& settings, int every);

  MatchListener listener();
  // The final word, on standard output.
  void finish(const MatchEnd& end);

 private:
  void on_start(const Standings& standings, const Schedule& schedule);
  void on_game(const GameSummary& game, const Fixture& fixture, const Standings& standings);
  void draw(const Standings& standings);
  void wipe();
  ReportContext context() const;

  const MatchSettings& settings_;
  std::uint64_t every_;
  bool terminal_;
  std::uint64_t total_games_ = 0, earlier_games_ = 0;
  int drawn_lines_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_draw_{};
};

}  // namespace aleph::lab
