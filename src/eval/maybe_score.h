// A score, or none.
//
// std::optional keeps a flag beside the value: two small writes, and one read of both that has to
// wait for them. The search returns such answers several times a node, so here "none" is a value
// that no score has.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>

#include "eval/score.h"

namespace aleph::eval {

class MaybeScore {
 public:
  constexpr MaybeScore() = default;
  constexpr MaybeScore(std::nullopt_t) {}
  constexpr MaybeScore(Score score) : units_(static_cast<std::int16_t>(score.units())) {}

  constexpr bool has_value() const { return units_ != kNone; }
  constexpr explicit operator bool() const { return has_value(); }
  constexpr Score operator*() const {
    assert(has_value());
    return Score::from_units(units_);
  }
  friend constexpr bool operator==(MaybeScore, MaybeScore) = default;

 private:
  static constexpr std::int16_t kNone = -32'768;  // below -infinite()

  std::int16_t units_ = kNone;
};

}  // namespace aleph::eval
