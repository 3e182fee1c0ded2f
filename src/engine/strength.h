// Playing weaker than one can: fewer nodes, and a choice among good moves that is the more careless
// the lower the rating. A stand-in until the human organ plays like a person.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "chess/move.h"
#include "search/progress.h"

namespace aleph::engine {

inline constexpr int kWeakestElo = 1320, kStrongestElo = 3190;

struct Strength {
  std::uint64_t nodes = 0;  // per move
  int carelessness = 0;     // a move that is worse by this many units is chosen 1/e times as often
};
// Between the points of a table, on the scale of Stockfish's UCI_Elo: matches against it decided.
Strength strength_of(int elo);

// How many lines a careless player looks at.
inline constexpr int kCarelessLines = 4;

// Stands between a search and its listener: passes on the lines that were asked for, and changes
// the answer.
class CarelessListener final : public search::ProgressListener {
 public:
  CarelessListener(search::ProgressListener& listener, int lines_wanted, int carelessness, Rng& rng)
      : listener_(listener), lines_wanted_(lines_wanted), carelessness_(carelessness), rng_(rng) {}

  void on_progress(const search::Progress& progress) override;
  void on_finished(const search::Answer& answer) override;

 private:
  search::ProgressListener& listener_;
  int lines_wanted_, carelessness_;
  Rng& rng_;
  search::Progress latest_;
  std::vector<search::Progress> lines_;  // of the last depth that was finished
};

}  // namespace aleph::engine
