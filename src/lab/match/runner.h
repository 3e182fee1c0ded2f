#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/child_process.h"
#include "base/result.h"
#include "lab/match/game_record.h"
#include "lab/match/schedule.h"
#include "lab/match/settings.h"
#include "lab/match/standings.h"

// Plays a whole match: several games at a time, each in a thread of its own that mostly waits.
namespace aleph::lab {

struct MatchEnd {
  enum class Why { AllPlayed, SprtDecided, Interrupted };
  Why why = Why::AllPlayed;
  Standings standings;
};

struct MatchListener {
  // Both are called by one thread at a time. The standings hold the game already.
  std::function<void(const Standings& standings, const Schedule& schedule)> on_start;
  std::function<void(const GameSummary& game, const Fixture& fixture, const Standings& standings)>
      on_game;
};

// Returns when all games are over, the SPRT is decided, or somebody raised the interrupt; games
// that are then in progress do not count. To end them it may raise the interrupt itself. Fails, in
// one sentence, if the match cannot begin (an engine does not start, the openings cannot be read,
// ...) or its files cannot be written.
Result<MatchEnd> run_match(const MatchSettings& settings, const MatchListener& listener,
                           const Interrupt& interrupt);

}  // namespace aleph::lab
