#include "search/time_budget.h"

#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <vector>

namespace aleph::search {
namespace {

using Ms = Milliseconds;

constexpr std::array kOverheads{0, 10, 20, 100, 1000, 5000};
constexpr std::array kIncrements{0, 1, 10, 80, 1000, 10'000, 60'000};
constexpr std::array<std::optional<int>, 6> kMovesToGo{std::nullopt, 1, 2, 10, 40, 200};
constexpr std::array kPlies{0, 1, 30, 100, 400};

Limits limits_of(std::int64_t left, int increment, std::optional<int> moves, int overhead) {
  Limits limits;
  limits.clock = GameClock{Ms(left), Ms(increment), moves};
  limits.overhead = Ms(overhead);
  return limits;
}

// 1 ms to ten hours.
std::vector<std::int64_t> times_left() {
  std::vector<std::int64_t> times;
  for (std::int64_t ms = 1; ms <= 36'000'000; ms += 1 + ms / 3) times.push_back(ms);
  return times;
}

template <class Check>
void for_each_clock(const Check& check) {
  for (const int overhead : kOverheads)
    for (const int increment : kIncrements)
      for (const auto moves : kMovesToGo)
        for (const int ply : kPlies)
          for (const std::int64_t left : times_left())
            check(limits_of(left, increment, moves, overhead), ply);
}

TEST_CASE("the limits are positive, in order, and leave a reserve on the clock") {
  int wrong = 0;
  for_each_clock([&](const Limits& limits, int ply) {
    const TimeBudget budget(limits, ply);
    if (!budget.is_limited() || !budget.soft()) {
      ++wrong;
      return;
    }
    const std::int64_t left = limits.clock->left.count(), overhead = limits.overhead.count();
    const std::int64_t most = std::max<std::int64_t>(1, left * 85 / 100 - overhead);
    const bool right = budget.soft()->count() >= 1 && *budget.soft() <= *budget.hard() &&
                       budget.hard()->count() <= most;
    if (right) return;
    if (++wrong <= 3)
      MESSAGE("left ", left, " overhead ", overhead, " soft ", budget.soft()->count(), " hard ",
              budget.hard()->count());
  });
  CHECK(wrong == 0);
}

TEST_CASE("more time on the clock never means less for the move") {
  int wrong = 0;
  Limits last_limits;
  std::optional<TimeBudget> last;
  for_each_clock([&](const Limits& limits, int ply) {
    const TimeBudget budget(limits, ply);
    if (last && limits.clock->left > last_limits.clock->left &&
        (*budget.soft() < *last->soft() || *budget.hard() < *last->hard()) && ++wrong <= 3)
      MESSAGE("left ", last_limits.clock->left.count(), " to ", limits.clock->left.count(),
              " increment ", limits.clock->increment.count(), " moves ",
              limits.clock->moves_to_go.value_or(0), " overhead ", limits.overhead.count(), " ply ",
              ply, ": soft ", last->soft()->count(), " to ", budget.soft()->count(), ", hard ",
              last->hard()->count(), " to ", budget.hard()->count());
    last = budget;
    last_limits = limits;
  });
  CHECK(wrong == 0);
}

TEST_CASE("without a clock and without a time per move there is no limit") {
  Limits limits;
  limits.depth = 5;
  limits.nodes = 1000;
  const TimeBudget budget(limits, 0);
  CHECK(!budget.is_limited());
  CHECK(!budget.is_over(Ms(1'000'000'000)));
  CHECK(!budget.is_enough(Ms(1'000'000'000), SearchMood()));
}

TEST_CASE("a time per move is used up but for the overhead, whatever the search thinks of it") {
  Limits limits;
  limits.move_time = Ms(500);
  limits.overhead = Ms(20);
  const TimeBudget budget(limits, 30);
  CHECK(budget.hard() == Ms(480));
  CHECK(!budget.soft());
  CHECK(!budget.is_over(Ms(479)));
  CHECK(budget.is_over(Ms(480)));
  CHECK(!budget.is_enough(Ms(479), SearchMood()));
  limits.move_time = Ms(5);
  CHECK(TimeBudget(limits, 30).hard() == Ms(1));
  limits.move_time = Ms(0);
  CHECK(TimeBudget(limits, 30).hard() == Ms(1));
}

TEST_CASE("with a clock and a time per move the shorter one rules") {
  Limits limits = limits_of(60'000, 0, std::nullopt, 10);
  const Ms by_clock = *TimeBudget(limits, 20).hard();
  limits.move_time = Ms(100);
  CHECK(TimeBudget(limits, 20).hard() == Ms(90));
  limits.move_time = Ms(3'600'000);
  CHECK(TimeBudget(limits, 20).hard() == by_clock);
}

TEST_CASE("pondering plans for a little more, never for more than the hard limit") {
  for (const std::int64_t left : times_left()) {
    Limits limits = limits_of(left, 100, std::nullopt, 10);
    const TimeBudget plain(limits, 40);
    limits.ponder = true;
    const TimeBudget ponder(limits, 40);
    CHECK(*ponder.soft() >= *plain.soft());
    CHECK(*ponder.soft() <= *ponder.hard());
    CHECK(ponder.hard() == plain.hard());
  }
}

TEST_CASE("the last move before a time control may take most of the time") {
  const TimeBudget budget(limits_of(10'000, 0, 1, 10), 78);
  CHECK(budget.hard()->count() > 5'000);
  CHECK(budget.hard()->count() < 9'000);
}

TEST_CASE("trouble stretches the soft limit, peace cuts it") {
  const TimeBudget budget(limits_of(60'000, 600, std::nullopt, 10), 30);
  const auto wanted = [&](const SearchMood& mood) {
    std::int64_t ms = 0;
    while (!budget.is_enough(Ms(ms), mood)) ++ms;
    return ms;
  };
  SearchMood calm;
  calm.depth = calm.stable_depth = 15;
  calm.best_move_share = 0.6;
  SearchMood changed = calm, falling = calm, unstable = calm, clear = calm, forced = calm;
  changed.stable_depth = 0;
  falling.drop_since_last_move = falling.drop_since_iterations = 40;
  unstable.changes = 1;
  clear.best_move_share = 0.99;
  forced.only_one_move = true;
  CHECK(wanted(changed) > wanted(calm));
  CHECK(wanted(falling) > wanted(calm));
  CHECK(wanted(unstable) > wanted(calm));
  CHECK(wanted(clear) < wanted(calm));
  CHECK(wanted(forced) <= 200);
}

// A game in which every move takes as long as it may at all, and `lag` more. Returns the least time
// that was ever left.
std::int64_t play_game(std::int64_t left, int increment, std::optional<int> control, int overhead,
                       int lag, int moves = 200) {
  const std::int64_t period = left;
  std::int64_t least = left;
  for (int move = 0; move < moves; ++move) {
    std::optional<int> to_go;
    if (control) to_go = *control - move % *control;
    const TimeBudget budget(limits_of(left, increment, to_go, overhead), 2 * move);
    left -= budget.hard()->count() + lag;
    least = std::min(least, left);
    if (left <= 0) return least;
    left += increment;
    if (control && (move + 1) % *control == 0) left += period;
  }
  return least;
}

// With the overhead an engine has unless told otherwise.
TEST_CASE("a game in which every move takes its hard limit is not lost on time") {
  constexpr int kOverhead = 20;
  CHECK(play_game(500, 10, std::nullopt, kOverhead, 0) > 0);
  CHECK(play_game(1000, 0, std::nullopt, kOverhead, 0) > 0);
  CHECK(play_game(8000, 80, std::nullopt, kOverhead, 0) > 0);
  CHECK(play_game(60'000, 0, 40, kOverhead, 0) > 0);
  CHECK(play_game(300'000, 0, std::nullopt, kOverhead, 0) > 0);
}

// Where the increment is less than the lag no plan can save 200 moves.
TEST_CASE("not even if all of the overhead is lost on every move, where that can be made good") {
  for (const int overhead : {20, 50, 80}) {
    CAPTURE(overhead);
    CHECK(play_game(8000, 80, std::nullopt, overhead, overhead) > 0);
    CHECK(play_game(60'000, 0, 40, overhead, overhead) > 0);
    CHECK(play_game(60'000, 600, std::nullopt, overhead, overhead) > 0);
  }
  CHECK(play_game(500, 10, std::nullopt, 20, 5) > 0);
}

}  // namespace
}  // namespace aleph::search
