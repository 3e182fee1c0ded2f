#include "lab/match/schedule.h"

#include <utility>

namespace aleph::lab {

Schedule::Schedule(int engines, bool gauntlet, int rounds) : rounds_(rounds) {
  for (int first = 0; first < (gauntlet ? 1 : engines); ++first)
    for (int second = first + 1; second < engines; ++second) pairings_.push_back({first, second});
}

Fixture Schedule::fixture(int number) const {
  const int pairings = static_cast<int>(pairings_.size());
  Fixture fixture;
  fixture.number = number;
  fixture.round = fixture.pair() / pairings;
  fixture.engines = pairings_[static_cast<std::size_t>(fixture.pair() % pairings)];
  if (number % 2 == 1) std::swap(fixture.engines[0], fixture.engines[1]);
  return fixture;
}

}  // namespace aleph::lab
