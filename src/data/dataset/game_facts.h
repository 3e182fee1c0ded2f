// What the tags and clocks of a game say about its players, as numbers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "chess/color.h"
#include "data/dataset/time_control.h"
#include "data/game.h"

namespace aleph::data {

struct GameFacts {
  // The same for the same moves between the same people at the same time, whatever the file.
  std::int64_t id = 0;
  std::array<std::optional<int>, chess::kColors> rating;
  std::optional<TimeControl> time_control;
  std::optional<int> white_points;  // 2: White won, 1: a draw, 0: Black won

  // By ply: what the mover's clock showed while thinking, and how long the move took, in seconds.
  std::vector<std::optional<double>> clock, think_time;

  // Buffers are used again.
  void read(const Game& game);

  // 1, 0 or -1 from this side's view.
  std::optional<int> outcome(chess::Color side) const;
};

}  // namespace aleph::data
