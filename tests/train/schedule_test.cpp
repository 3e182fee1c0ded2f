#include "train/schedule.h"

#include <doctest/doctest.h>

#include <cmath>

#include "model_configs.h"

namespace aleph::train {
namespace {

using Kind = ScheduleConfig::Kind;

TEST_CASE("Vaswani's schedule rises in a straight line and falls with the root of the step") {
  const ScheduleConfig schedule{.kind = Kind::Vaswani, .rate = 1, .warmup = 8000};
  const auto rate = [&](std::uint64_t step, int width) {
    return learning_rate(schedule, width, step, 55'000);
  };
  CHECK(rate(1, 512) == doctest::Approx(std::pow(512, -0.5) * std::pow(8000, -1.5)));
  CHECK(rate(4000, 512) == doctest::Approx(rate(8000, 512) / 2));
  CHECK(rate(8000, 512) == doctest::Approx(std::pow(512 * 8000.0, -0.5)));
  CHECK(rate(32'000, 512) == doctest::Approx(rate(8000, 512) / 2));
  CHECK(rate(8000, 256) == doctest::Approx(rate(8000, 512) * std::sqrt(2.0)));
  CHECK(rate(0, 256) == rate(1, 256));
}

TEST_CASE("the width of Vaswani's schedule may be named") {
  ScheduleConfig schedule{.kind = Kind::Vaswani, .rate = 0.5, .warmup = 100};
  schedule.width = 64;
  CHECK(learning_rate(schedule, 999, 100, 1000) == doctest::Approx(0.5 / 8 / 10));
}

TEST_CASE("a constant rate, with and without warm-up") {
  ScheduleConfig schedule{.kind = Kind::Constant, .rate = 0.01};
  CHECK(learning_rate(schedule, 1, 1, 100) == doctest::Approx(0.01));
  CHECK(learning_rate(schedule, 1, 99, 100) == doctest::Approx(0.01));
  schedule.warmup = 10;
  CHECK(learning_rate(schedule, 1, 1, 100) == doctest::Approx(0.001));
  CHECK(learning_rate(schedule, 1, 10, 100) == doctest::Approx(0.01));
}

TEST_CASE("a cosine ends at its last share") {
  const ScheduleConfig schedule{.kind = Kind::Cosine, .rate = 1, .warmup = 10, .final_share = 0.1};
  const auto rate = [&](std::uint64_t step) { return learning_rate(schedule, 1, step, 110); };
  CHECK(rate(5) == doctest::Approx(0.5));
  CHECK(rate(10) == doctest::Approx(1));
  CHECK(rate(60) == doctest::Approx(0.55));
  CHECK(rate(110) == doctest::Approx(0.1));
  CHECK(rate(500) == doctest::Approx(0.1));
  for (std::uint64_t step = 11; step <= 110; ++step) CHECK(rate(step) < rate(step - 1));
}

TEST_CASE("the width of a trunk") {
  CHECK(width_of_trunk(test::tiny_resnet()) == 8);
  CHECK(width_of_trunk(test::tiny_transformer()) == 16);
}

}  // namespace
}  // namespace aleph::train
