#pragma once

#include <cassert>
#include <cstdint>

// Random numbers that are the same on every machine and compiler (std::uniform_* is not).
// splitmix64 (Steele, Lea, Flood 2014): 64 bits of state, any seed is good, passes BigCrush.
// Randomness is an argument: whoever needs it takes an Rng&, so that a seed repeats a whole run.
namespace aleph {

class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  // 0 .. bound - 1, every value equally likely. bound must not be 0.
  constexpr std::uint64_t below(std::uint64_t bound) {
    assert(bound != 0);
    // 2^64 is rarely a multiple of bound: draws in the incomplete first part are thrown away.
    const std::uint64_t incomplete = (0 - bound) % bound;
    std::uint64_t draw = next();
    while (draw < incomplete) draw = next();
    return draw % bound;
  }

  // In [0, 1), a multiple of 2^-53.
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

static_assert(Rng(7).next() == Rng(7).next());
static_assert(Rng(0).next() == 0xE220A8397B1DCDAFULL, "the published first value for seed 0");

}  // namespace aleph
