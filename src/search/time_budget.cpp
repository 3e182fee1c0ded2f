#include "search/time_budget.h"

#include <algorithm>
#include <cmath>

namespace aleph::search {

namespace {

using Seconds = std::chrono::duration<double>;

constexpr int kHorizon = 50;  // moves the remaining time is spread over

struct Shares {
  double soft, hard;  // parts of the time left; hard as a multiple of soft
};

// Until the clock is set anew, time is all there is: later moves get more, since they decide more.
Shares sudden_death(double left, double spendable, int ply) {
  const double magnitude = std::log10(std::max(left, 0.001));
  const double growth = std::min(0.0032116 + 0.00032112 * magnitude, 0.00508017);
  const double most = std::max(3.3977 + 3.0395 * magnitude, 2.94761);
  // Less of a short game: its end needs a reserve.
  const double caution = std::max(0.3, 0.3128 * std::log10(1000 * spendable) - 0.4354);
  const double rate = 0.0121431 + std::pow(ply + 2.94693, 0.461073) * growth;
  return {std::min(rate, 0.213035 * left / spendable) * caution,
          std::min(6.67704, most + ply / 11.9847)};
}

Shares until_control(double left, double spendable, int ply, int moves) {
  return {std::min((0.88 + ply / 116.4) / moves, 0.88 * left / spendable),
          std::min(6.3, 1.5 + 0.11 * moves)};
}

Milliseconds to_ms(double seconds) {
  return Milliseconds(std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds * 1000)));
}

}  // namespace

TimeBudget::TimeBudget(const Limits& limits, int game_ply) {
  if (limits.clock) {
    const GameClock& clock = *limits.clock;
    const double overhead = Seconds(limits.overhead).count();
    const double left = std::max(Seconds(clock.left).count(), 0.001);
    const double increment = Seconds(clock.increment).count();
    int moves = std::min(clock.moves_to_go.value_or(kHorizon), kHorizon);
    // With less than a second, looking fifty moves ahead would reserve more than there is.
    if (left < 1 && moves > 1 && !clock.moves_to_go)
      moves = std::max(2, static_cast<int>(left * kHorizon));
    moves = std::max(moves, 1);
    const double spendable =
        std::max(0.001, left + increment * (moves - 1) - overhead * (2 + moves));
    const Shares shares = clock.moves_to_go ? until_control(left, spendable, game_ply, moves)
                                            : sudden_death(left, spendable, game_ply);
    const double soft = shares.soft * spendable;
    const double most = std::max(0.001, 0.825 * left - overhead);
    soft_ = to_ms(std::min(limits.ponder ? soft * 1.25 : soft, most));
    hard_ = to_ms(std::min(most, shares.hard * soft));
  }
  if (limits.move_time) {
    const auto time = std::max(Milliseconds(1), *limits.move_time - limits.overhead);
    hard_ = hard_ ? std::min(*hard_, time) : time;
  }
}

bool TimeBudget::is_enough(Milliseconds elapsed, const SearchMood& mood) const {
  if (!soft_) return false;
  const double falling = std::clamp(
      (11.4 + 2.035 * mood.drop_since_last_move + 0.968 * mood.drop_since_iterations) / 100, 0.58,
      1.67);
  const double stability = mood.stable_depth > 8 ? 0.92 : 1.42;
  const double instability = 0.993 + 1.85 * mood.changes;
  const double effort = mood.best_move_share > 0.95 ? 0.78 : 1.0;
  double wanted = static_cast<double>(soft_->count()) * falling * stability * instability * effort;
  wanted *= 1 + mood.doubt;
  if (mood.only_one_move) wanted = std::min(wanted, 200.0);
  return static_cast<double>(elapsed.count()) >= wanted;
}

}  // namespace aleph::search
