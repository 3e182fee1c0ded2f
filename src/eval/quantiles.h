// How sure an evaluation is of itself: five quantiles of the value, for the side to move.
// A network that gives one number is certain of it, which costs nothing to say.
#pragma once

#include "eval/score.h"

namespace aleph::eval {

struct Quantiles {
  Score q10, q25, q50, q75, q90;  // never decreasing

  static constexpr Quantiles certain(Score score) { return {score, score, score, score, score}; }

  // The same doubt seen by the opponent: what was nearly the best is nearly the worst.
  constexpr Quantiles operator-() const { return {-q90, -q75, -q50, -q25, -q10}; }
  friend constexpr bool operator==(const Quantiles&, const Quantiles&) = default;
};

}  // namespace aleph::eval
