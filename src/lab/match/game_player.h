#pragma once

#include <array>
#include <memory>
#include <optional>

#include "base/child_process.h"
#include "lab/match/game_record.h"
#include "lab/match/openings.h"
#include "lab/match/schedule.h"
#include "lab/match/settings.h"
#include "lab/uci_process.h"

// One game between two engines.
namespace aleph::lab {

// One engine's place at one board: the process lives from game to game, and is started anew when it
// has failed.
class EngineSeat {
 public:
  EngineSeat(const EngineSettings& settings, const UciProcess::Timeouts& timeouts,
             const Interrupt* interrupt)
      : settings_(settings), timeouts_(timeouts), interrupt_(interrupt) {}

  // Starts the engine if it does not run, and makes it ready for a new game.
  std::optional<UciProblem> prepare();
  void dismiss() { process_.reset(); }

  const EngineSettings& settings() const { return settings_; }
  UciProcess& process() { return *process_; }  // after prepare()

 private:
  const EngineSettings& settings_;
  UciProcess::Timeouts timeouts_;
  const Interrupt* interrupt_;
  std::unique_ptr<UciProcess> process_;
};

// Plays to the end, whatever the engines do; a seat whose engine failed is dismissed. Nothing if it
// was interrupted. The seats are White's and Black's.
std::optional<GameRecord> play_game(const MatchSettings& settings, const Fixture& fixture,
                                    const Opening& opening, std::array<EngineSeat*, 2> seats);

}  // namespace aleph::lab
