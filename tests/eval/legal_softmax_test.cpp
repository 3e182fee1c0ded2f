#include "eval/legal_softmax.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/rng.h"

namespace aleph::eval {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kHuge = std::numeric_limits<float>::max();
constexpr float kTiny = std::numeric_limits<float>::denorm_min();

std::vector<float> softmax(std::vector<float> logits, float temperature = 1) {
  legal_softmax(logits, temperature, logits);  // in place
  double sum = 0;
  for (const float p : logits) {
    CHECK((p >= 0 && p <= 1));
    sum += static_cast<double>(p);
  }
  if (!logits.empty()) CHECK(sum == doctest::Approx(1).epsilon(1e-5));
  return logits;
}

// As the seed writes it, for logits that do no harm.
std::vector<double> by_the_book(const std::vector<float>& logits, double temperature) {
  std::vector<double> answer;
  double sum = 0;
  for (const float logit : logits) {
    answer.push_back(std::exp(static_cast<double>(logit) / temperature));
    sum += answer.back();
  }
  for (double& p : answer) p /= sum;
  return answer;
}

TEST_CASE("ordinary logits give what the formula says") {
  Rng rng(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<float> logits(1 + rng.next() % 218);
    for (float& logit : logits) logit = static_cast<float>(rng.next() % 2000) / 100 - 10;
    for (const double temperature : {0.5, 1.0, 1.359, 3.0}) {
      const auto expected = by_the_book(logits, temperature);
      const auto got = softmax(logits, static_cast<float>(temperature));
      for (std::size_t i = 0; i < got.size(); ++i)
        CHECK(static_cast<double>(got[i]) == doctest::Approx(expected[i]).epsilon(1e-5));
    }
  }
}

TEST_CASE("one move is certain, and none is no trouble") {
  for (const float logit : {0.0F, -kInf, kInf, kNan, kHuge}) CHECK(softmax({logit})[0] == 1);
  CHECK(softmax({}).empty());
}

TEST_CASE("equal logits make equal moves, whatever they are") {
  for (const float logit : {0.0F, 1e30F, -1e30F, kHuge, -kHuge, kInf, -kInf, kNan})
    for (const float temperature : {0.0F, kTiny, 1e-9F, 1.0F, 1e9F, kHuge, kInf})
      for (const float p : softmax({logit, logit, logit, logit}, temperature)) CHECK(p == 0.25F);
}

TEST_CASE("a temperature near 0 leaves the best, and those that are as good") {
  for (const float temperature : {0.0F, -1.0F, kNan, kTiny, 1e-30F}) {
    CHECK(softmax({1, 3, 2}, temperature) == std::vector<float>{0, 1, 0});
    CHECK(softmax({3, 1, 3}, temperature) == std::vector<float>{0.5F, 0, 0.5F});
  }
}

TEST_CASE("a high temperature makes moves equal, but not those that are never played") {
  for (const float temperature : {1e30F, kHuge, kInf})
    CHECK(softmax({-5, -kInf, 5, kNan}, temperature) == std::vector<float>{0.5F, 0, 0.5F, 0});
}

TEST_CASE("infinite, missing and huge logits") {
  CHECK(softmax({-kInf, 0}) == std::vector<float>{0, 1});
  CHECK(softmax({kNan, 0}) == std::vector<float>{0, 1});
  CHECK(softmax({kInf, 0, kInf}) == std::vector<float>{0.5F, 0, 0.5F});
  CHECK(softmax({kHuge, -kHuge}) == std::vector<float>{1, 0});
  CHECK(softmax({kHuge, -kHuge}, kHuge)[0] > 0.8F);
  CHECK(softmax({-1e9F, 0}) == std::vector<float>{0, 1});
  CHECK(softmax({1000, 1001})[1] == doctest::Approx(1 / (1 + std::exp(-1.0))));
}

}  // namespace
}  // namespace aleph::eval
