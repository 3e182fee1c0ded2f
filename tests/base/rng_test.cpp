#include "base/rng.h"

#include <doctest/doctest.h>

#include <array>

using aleph::Rng;

TEST_CASE("the sequence is the published one of splitmix64") {
  Rng rng(1234567);
  CHECK(rng.next() == 6457827717110365317ULL);
  CHECK(rng.next() == 3203168211198807973ULL);
  CHECK(rng.next() == 9817491932198370423ULL);
  CHECK(rng.next() == 4593380528125082431ULL);
  CHECK(rng.next() == 16408922859458223821ULL);
}

TEST_CASE("below stays below and reaches every value evenly") {
  Rng rng(1);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60'000; ++i) ++counts.at(rng.below(counts.size()));
  for (const int count : counts) {
    CHECK(count > 9'600);  // 10'000, give or take four standard deviations
    CHECK(count < 10'400);
  }
}

TEST_CASE("below works at its extremes") {
  Rng rng(2);
  CHECK(rng.below(1) == 0);
  // Here half of all draws fall into the incomplete part; a plain modulo would favour small values.
  constexpr std::uint64_t kBound = (1ULL << 63) + 1;
  int in_lower_half = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t value = rng.below(kBound);
    REQUIRE(value < kBound);
    in_lower_half += value < kBound / 2 ? 1 : 0;
  }
  CHECK(in_lower_half > 4'800);
  CHECK(in_lower_half < 5'200);
}

TEST_CASE("uniform lies in [0, 1) with mean one half") {
  Rng rng(3);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double value = rng.uniform();
    REQUIRE(value >= 0.0);
    REQUIRE(value < 1.0);
    sum += value;
  }
  CHECK(sum / 100'000 == doctest::Approx(0.5).epsilon(0.01));
}

TEST_CASE("the same seed repeats, another seed differs") {
  Rng first(5), second(5), other(6);
  const std::uint64_t value = first.next();
  CHECK(second.next() == value);
  CHECK(other.next() != value);
}
