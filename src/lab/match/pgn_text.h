#pragma once

#include <string>
#include <string_view>

#include "lab/match/game_record.h"
#include "lab/match/schedule.h"
#include "lab/match/settings.h"

// Games of a match as PGN, with what the engines said about each move, as other match programs
// write it:  12. Nf3 {+0.35/14 0.52s [%clk 0:00:07.5]}   score for the side that moved, depth,
// time.
namespace aleph::lab {

// A whole game, ended by an empty line. round is 1-based for people: pair and game within it.
std::string match_pgn(const GameRecord& game, const Fixture& fixture,
                      const MatchSettings& settings);

}  // namespace aleph::lab
