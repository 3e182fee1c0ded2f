// Positions to compare with Debian's Stockfish 15.1, and what it prints for them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "chess/position.h"
#include "eval/nnue_evaluator.h"

namespace aleph::test {

// With the network that Stockfish 15.1 carries; null, and a message, if it is not on this machine.
std::unique_ptr<eval::NnueEvaluator> evaluator_15_1();

// What a person could meet: no checks, the side to move can move.
std::vector<chess::Position> random_game_positions(std::size_t count, std::uint64_t seed);
// The same from the starting positions of Chess960, with their dialect of castling.
std::vector<chess::Position> random_chess960_positions(std::size_t count, std::uint64_t seed);
// Two kings and these pieces ("RPP", ""), anywhere that is legal, either side to move.
chess::Position random_placement(Rng& rng, std::string_view white, std::string_view black);

// What Stockfish prints for "eval", one text per position, each line behind a line feed. Nothing,
// and a message, if it is not installed or another version.
std::optional<std::vector<std::string>> stockfish_reports(
    const std::vector<chess::Position>& positions);

// The line of a report that starts so; empty if there is none.
std::string line_that_starts(const std::string& report, const std::string& start);

}  // namespace aleph::test
