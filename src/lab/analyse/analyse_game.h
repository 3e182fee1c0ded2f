// A game with an evaluation and a certainty for every move.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "data/game.h"
#include "lab/analyse/band_oracle.h"

namespace aleph::lab {

// What is said of the position after a move.
struct AnalysedMove {
  std::string san;  // "12. Nf3", "12... Nf6"
  Band band;
  data::Evaluation evaluation;  // White's view
  double expected = 0.5;        // of the evaluation, White's view
  bool is_over = false;         // mate or stalemate: no doubt is left
};

// The evaluation of a position, White's view: of a search. None: the middle of the band is taken.
using AskEngine = std::function<Result<data::Evaluation>(const chess::Position& position)>;

// Fills [%eval] of every move and adds "[%band q10,q90] certainty N %" to its comment (pawns,
// White's view). An earlier band is replaced.
Result<std::vector<AnalysedMove>> analyse_game(data::Game& game, BandOracle& oracle,
                                               const AskEngine& ask);

// A page with a plot for each game: the evaluation as a line, the bands around it.
struct AnalysedGame {
  std::string title;
  std::vector<AnalysedMove> moves;
};
std::string analysis_page(const std::string& title, const std::vector<AnalysedGame>& games);

}  // namespace aleph::lab
