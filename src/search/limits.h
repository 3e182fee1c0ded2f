// When a search shall stop. Whatever is set applies; the first limit reached wins.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "chess/move.h"

namespace aleph::search {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

// Of the side to move.
struct GameClock {
  Milliseconds left{0};
  Milliseconds increment{0};
  std::optional<int> moves_to_go;  // until more time is added; nothing: never
};

struct Limits {
  std::optional<int> depth;
  std::optional<std::uint64_t> nodes;  // never exceeded with one thread
  std::optional<Milliseconds> move_time;
  std::optional<GameClock> clock;
  std::optional<int> mate;              // stop when a mate in this many moves is found
  std::vector<chess::Move> only_moves;  // empty: all
  bool infinite = false;                // hold the answer until told to stop
  bool ponder = false;                  // the clock does not run before ponderhit

  Clock::time_point start = Clock::now();  // when the request was read
  Milliseconds overhead{10};               // lost between the engine's clock and the referee's
};

}  // namespace aleph::search
