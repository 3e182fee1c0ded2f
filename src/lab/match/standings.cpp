#include "lab/match/standings.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace aleph::lab {
namespace {

using data::GameResult;

// 0, 1 or 2, for one side.
int half_points(GameResult result, int side) {
  if (result == GameResult::Draw) return 1;
  return (result == GameResult::WhiteWins) == (side == 0) ? 2 : 0;
}

void count(Wdl& games, int half_points) {
  ++(half_points == 2 ? games.wins : half_points == 1 ? games.draws : games.losses);
}

}  // namespace

std::uint64_t EngineStanding::all_faults() const {
  return std::accumulate(faults.begin(), faults.end(), std::uint64_t{0});
}

Standings::Standings(std::vector<std::string> names) {
  for (std::string& name : names) engines_.push_back({std::move(name), {}, {}, {}, {}});
}

void Standings::add(const GameSummary& game, const Fixture& fixture) {
  ++games_;
  plies_ += static_cast<std::uint64_t>(game.plies);
  for (int side = 0; side < 2; ++side) {
    EngineStanding& standing = engine(fixture.engines[static_cast<std::size_t>(side)]);
    const int points = half_points(game.result, side);
    count(standing.games, points);
    standing.totals.add(game.sides[static_cast<std::size_t>(side)]);
    if (is_fault(game.kind) && points == 0) ++standing.faults[static_cast<std::size_t>(game.kind)];
  }
  if (!game.bad_pv.empty() && bad_pv_.empty())
    bad_pv_ = fmt::format("game {}: {}", game.number + 1, game.bad_pv);

  // The pair's first engine is White in its even game.
  const int first_side = fixture.number % 2;
  const int points = half_points(game.result, first_side);
  const auto [other, is_first_game] = half_pairs_.try_emplace(fixture.pair(), points);
  if (is_first_game) return;
  const auto sum = static_cast<std::size_t>(other->second + points);
  half_pairs_.erase(other);
  const auto side = static_cast<std::size_t>(first_side);
  ++engine(fixture.engines[side]).pairs.count[sum];
  ++engine(fixture.engines[1 - side]).pairs.count[4 - sum];
}

bool Standings::any_fault() const {
  return std::ranges::any_of(engines_, [](const auto& engine) { return engine.all_faults() > 0; });
}

}  // namespace aleph::lab
