#include <doctest/doctest.h>

#include <vector>

#include "chess/position.h"
#include "random_games.h"

namespace aleph::chess {
namespace {

TEST_CASE("the past is what it was") {
  std::vector<Position> game;
  test::play_random_games(11, 3'000, [&](Position& position, Move) {
    if (position.history_size() == 0) game.clear();
    game.push_back(position);
    for (std::size_t plies = 0; plies < game.size(); plies += 1 + plies / 4) {
      const Position& then = game[game.size() - 1 - plies];
      const auto past = position.ago(static_cast<int>(plies));
      REQUIRE(past.board == then.board());
      REQUIRE(past.key == then.key());
      REQUIRE(past.halfmove_clock == then.halfmove_clock());
      REQUIRE(past.last_move == then.last_move());
      REQUIRE(position.earlier_occurrences(static_cast<int>(plies)) == then.earlier_occurrences());
    }
  });
}

}  // namespace
}  // namespace aleph::chess
