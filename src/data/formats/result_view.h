// Results as the files of trainers have them: seen by the side to move.
#pragma once

#include <optional>

#include "chess/color.h"
#include "data/game.h"

namespace aleph::data {

// 1: `side` wins, 0: a draw, -1: it loses. Nothing for a result that is not known.
constexpr std::optional<int> points_of(GameResult result, chess::Color side) {
  if (result == GameResult::Unknown) return std::nullopt;
  if (result == GameResult::Draw) return 0;
  const bool white = side == chess::Color::White;
  return (result == GameResult::WhiteWins) == white ? 1 : -1;
}

// The other way round; points are 1, 0 or -1.
constexpr GameResult result_of(int points, chess::Color side) {
  if (points == 0) return GameResult::Draw;
  const bool white = side == chess::Color::White;
  return (points > 0) == white ? GameResult::WhiteWins : GameResult::BlackWins;
}

static_assert(points_of(GameResult::BlackWins, chess::Color::Black) == 1);
static_assert(result_of(-1, chess::Color::White) == GameResult::BlackWins);

}  // namespace aleph::data
