// Positions to be labelled: from text (FEN or EPD, a line each, plain or compressed) or from a
// dataset of ours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "chess/packed_position.h"

namespace aleph::lab {

struct PositionList {
  static constexpr std::size_t kMostProblems = 10;
  static constexpr std::int8_t kUnknown = 2;

  // Of each position:
  std::vector<chess::PackedPosition> positions;
  std::vector<std::int8_t> outcomes;   // 1, 0 or -1 for the side to move, or kUnknown
  std::vector<std::int64_t> game_ids;  // of a dataset; in a text every line is a game of its own

  std::uint64_t refused = 0;          // lines and rows that are no legal position
  std::vector<std::string> problems;  // the first of them, a sentence each

  std::size_t size() const { return positions.size(); }
  std::optional<int> outcome(std::size_t i) const {
    return outcomes[i] == kUnknown ? std::nullopt : std::optional<int>(outcomes[i]);
  }
  void add(const chess::PackedPosition& position, std::int8_t outcome, std::int64_t game_id) {
    positions.push_back(position);
    outcomes.push_back(outcome);
    game_ids.push_back(game_id);
  }
  // The same for the same positions, outcomes and games in the same order.
  std::string fingerprint() const;
};

// A folder is a dataset of any schema; anything else is text. The operation c9 of EPD may hold the
// result of the game: c9 "1-0". Fails if nothing can be read, or if there is no position.
Result<PositionList> read_positions(const std::string& source);

// Keeps this many, drawn at random, in their order. Fewer than that stay as they are.
void draw_positions(PositionList& list, std::size_t count, std::uint64_t seed);

}  // namespace aleph::lab
