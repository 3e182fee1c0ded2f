#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lab/match/game_record.h"
#include "lab/match/schedule.h"
#include "lab/statistics.h"

// The results of a match so far.
namespace aleph::lab {

struct EngineStanding {
  std::string name;
  Wdl games;                                             // all of them
  Pentanomial pairs;                                     // those of which both games are over
  std::array<std::uint64_t, kEndKinds.size()> faults{};  // its own, by EndKind
  SideTotals totals;

  std::uint64_t faults_of(EndKind kind) const { return faults[static_cast<std::size_t>(kind)]; }
  std::uint64_t all_faults() const;
};

class Standings {
 public:
  explicit Standings(std::vector<std::string> names);

  void add(const GameSummary& game, const Fixture& fixture);

  const std::vector<EngineStanding>& engines() const { return engines_; }
  std::uint64_t games() const { return games_; }
  std::uint64_t plies() const { return plies_; }
  bool any_fault() const;
  bool any_bad_pv() const { return !bad_pv_.empty(); }
  // The first illegal line that an engine gave, with the game; empty: none.
  const std::string& bad_pv() const { return bad_pv_; }

 private:
  EngineStanding& engine(int index) { return engines_[static_cast<std::size_t>(index)]; }

  std::vector<EngineStanding> engines_;
  std::map<int, int> half_pairs_;  // half points of the pair's first engine, where one game is over
  std::uint64_t games_ = 0, plies_ = 0;
  std::string bad_pv_;
};

}  // namespace aleph::lab
