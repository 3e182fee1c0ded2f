#include "nnue/quantile/quantile_forward.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "nnue/made_up_quantiles.h"

namespace aleph::nnue {
namespace {

std::shared_ptr<const QuantileNetwork> shared(QuantileNetwork network) {
  return std::make_shared<const QuantileNetwork>(std::move(network));
}

bool never_decreases(const QuantileLogits& logits) { return std::ranges::is_sorted(logits); }

TEST_CASE("the reference, by hand") {
  QuantileStack stack;
  stack.first_weight.resize(16 * 128);
  std::vector<std::uint8_t> bytes(128);
  bytes[5] = 100;
  stack.first_weight[0 * 128 + 5] = 64;  // 6400 + 64: clipped 101, squared 6464^2 >> 19 = 79
  stack.first_bias[0] = 64;
  stack.first_weight[1 * 128 + 5] = -128;  // -12800: clipped 0, squared 312, cut to 127
  stack.second_weight[0 * 32 + 0] = 2;     // 158
  stack.second_weight[0 * 32 + 16] = 10;   // 1010
  stack.second_weight[0 * 32 + 1] = 1;     // 127
  stack.second_weight[0 * 32 + 17] = 99;   // 0
  stack.second_bias[0] = -15;              // 1280 in all: clipped 20
  stack.second_bias[1] = 1 << 20;          // 127
  stack.third_weight[0 * 32 + 0] = -3;     // -60
  stack.third_weight[1 * 32 + 1] = 1;      // 127
  stack.third_bias = {10, -127, -8128, 8128, 20'000};
  const QuantileLogits expected{-50, -50 + 2032, -50 + 2032, -50 + 2032 + 8128,
                                -50 + 2032 + 8128 + 20'000};
  CHECK(quantile_logits_slow(stack, 128, bytes.data()) == expected);
}

TEST_CASE("steps are never negative, never decrease and have no jumps") {
  CHECK(quantile_step(-8128) == 0);
  CHECK(quantile_step(-2'000'000'000) == 0);
  CHECK(quantile_step(0) == 2032);
  CHECK(quantile_step(8128) == 8128);
  CHECK(quantile_step(2'000'000'000) == 2'000'000'000);
  for (std::int32_t answer = -9000; answer < 9000; ++answer) {
    const std::int32_t rise = quantile_step(answer + 1) - quantile_step(answer);
    REQUIRE(quantile_step(answer) >= 0);
    REQUIRE((rise >= 0 && rise <= 1));
  }
}

TEST_CASE("logits become units without crossing") {
  static_assert(quantile_units(100, 8128) == 510);
  static_assert(quantile_units(-100, -8128) == -510);
  static_assert(quantile_units(7, -19) == 7 && quantile_units(7, 19) == 7);
  static_assert(base_units({.psqt = 20, .positional = 11}) == 1);
  static_assert(base_units({.psqt = -20, .positional = -11}) == -1);
  for (std::int32_t logit = -40'000; logit < 40'000; ++logit)
    REQUIRE(quantile_units(-321, logit) <= quantile_units(-321, logit + 1));
}

TEST_CASE("all kernels agree with the reference on random networks and features") {
  const auto kernels = runnable_quantile_kernels();
  if (kernels.size() == 1)
    fmt::print("skipped: quantile layers by vectors: not on this processor\n");
  Rng rng(42);
  std::uint64_t seed = 0;
  for (const int width : kWidths)
    for (const int weight : {3, 40, 127})
      for (const int bias : {0, 8'000, 30'000}) {
        QuantileNetwork made = test::made_up_quantiles(width, seed += 100, weight, bias);
        // The extremes that kernels cut to 16 bits.
        if (bias == 0)
          for (QuantileStack& stack : made.stacks)
            for (std::size_t k = 0; k < 16; ++k)
              stack.first_bias[k] = (k % 2 == 0 ? 1 : -1) * (32'760 + static_cast<int>(k));
        const auto network = shared(std::move(made));
        std::vector<QuantileForward> forwards;
        forwards.reserve(kernels.size());
        for (const QuantileKernel kernel : kernels)
          forwards.emplace_back(network, std::span<const std::uint16_t>(), kernel);
        for (int bucket = 0; bucket < kBuckets; ++bucket)
          for (const int used : {0, 3, 20, 100}) {
            const TransformedFeatures features = test::random_features(width, used, rng);
            const QuantileLogits slow = quantile_logits_slow(
                network->stacks[static_cast<std::size_t>(bucket)], width, features.bytes.data());
            for (const QuantileForward& forward : forwards)
              REQUIRE(forward.logits(bucket, features) == slow);
            REQUIRE(never_decreases(slow));
          }
      }
}

TEST_CASE("weights follow the order that the base's neurons have in memory") {
  constexpr std::size_t kWidth = 256, kHalf = kWidth / 2;
  const auto network = shared(test::made_up_quantiles(kWidth, 9));
  Rng rng(4);
  std::vector<std::uint16_t> order(kHalf);
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  for (std::size_t i = kHalf - 1; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
  const QuantileForward forward(network, order);
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    const TransformedFeatures features = test::random_features(kWidth, 30, rng);
    std::vector<std::uint8_t> in_file(kWidth);
    for (std::size_t i = 0; i < kWidth; ++i)
      in_file[i / kHalf * kHalf + order[i % kHalf]] = features.bytes[i];
    CHECK(forward.logits(bucket, features) ==
          quantile_logits_slow(network->stacks[static_cast<std::size_t>(bucket)], kWidth,
                               in_file.data()));
  }
}

TEST_CASE("quantiles never cross: 200,000 random inputs") {
  Rng rng(5);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto network = shared(test::made_up_quantiles(128, 1000 * seed, 127, 30'000));
    const QuantileForward forward(network);
    TransformedFeatures features = test::random_features(128, 50, rng);
    for (int i = 0; i < 10'000; ++i) {
      const auto block = static_cast<std::size_t>(rng.below(features.block_count));
      features.bytes[4 * features.blocks[block] + i % 4] =
          static_cast<std::uint8_t>(rng.below(128));
      const int bucket = i % kBuckets, base = static_cast<int>(rng.below(20'001)) - 10'000;
      const QuantileLogits logits = forward.logits(bucket, features);
      REQUIRE(never_decreases(logits));
      for (std::size_t k = 1; k < kQuantiles; ++k)
        REQUIRE(quantile_units(base, logits[k - 1]) <= quantile_units(base, logits[k]));
    }
  }
}

}  // namespace
}  // namespace aleph::nnue
