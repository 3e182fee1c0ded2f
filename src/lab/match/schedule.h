#pragma once

#include <array>
#include <vector>

// Who plays whom, with which colours, from which opening. The number of a game says it all, so a
// match that was cut off goes on with the same games, and more rounds may be added at the end.
namespace aleph::lab {

struct Fixture {
  int number = 0;                // of the game, from 0; games 2k and 2k + 1 are a pair
  int round = 0;                 // from 0: names the opening
  std::array<int, 2> engines{};  // White, Black

  int pair() const { return number / 2; }
};

// Each round, every two engines (gauntlet: the first and each other one) play a pair of games from
// the same opening, one with each colour.
class Schedule {
 public:
  Schedule(int engines, bool gauntlet, int rounds);

  int games() const { return rounds_ * static_cast<int>(pairings_.size()) * 2; }
  Fixture fixture(int number) const;

 private:
  std::vector<std::array<int, 2>> pairings_;
  int rounds_;
};

}  // namespace aleph::lab
