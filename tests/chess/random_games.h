// Random games for property tests: the same for the same seed, ordinary and Chess960 by turns.
#pragma once

#include <cstdint>
#include <functional>

#include "chess/position.h"

namespace aleph::test {

// Plays games until `plies` moves have been made in all and calls `visit` with each position and
// the legal move that is played next. Captures are as likely as other moves; a game ends by the
// rules or after 300 plies.
void play_random_games(std::uint64_t seed, int plies,
                       const std::function<void(chess::Position&, chess::Move)>& visit);

}  // namespace aleph::test
