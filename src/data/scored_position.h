// A position with what is known about it: the common ground of the formats that trainers of NNUE
// networks use.
#pragma once

#include <cstdint>
#include <optional>

#include "chess/move.h"
#include "chess/position.h"
#include "data/game.h"

namespace aleph::data {

struct ScoredPosition {
  chess::Position position;  // without history
  chess::Move move;          // best, or played; Move() if not known
  std::int32_t score = 0;    // as the file has it, the side to move's view
  GameResult result = GameResult::Unknown;
  std::optional<std::uint16_t> ply;  // in its game

  friend bool operator==(const ScoredPosition& a, const ScoredPosition& b) {
    return a.position.setup() == b.position.setup() && a.move == b.move && a.score == b.score &&
           a.result == b.result && a.ply == b.ply;
  }
};

}  // namespace aleph::data
