#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "lab/match/settings.h"
#include "lab/match/standings.h"

// The standing of a match as text for people.
namespace aleph::lab {

struct ReportContext {
  const MatchSettings& settings;
  std::uint64_t total_games = 0;
  std::uint64_t earlier_games = 0;  // before it was resumed: not counted in the speed
  std::chrono::duration<double> elapsed{0};
};

// One line, for logs: "games 120/1000  +40 =60 -20  58.3 %  Elo +57.9 +- 35.1 ...".
std::string standing_line(const Standings& standings, const ReportContext& context);

// A few lines, for terminals and the end: score, Elo, pairs and SPRT of two engines, or the table
// of several.
std::string standing_table(const Standings& standings, const ReportContext& context);

// What happened besides: faults, depth, speed and time per move of each engine.
std::string engine_summary(const Standings& standings);

}  // namespace aleph::lab
