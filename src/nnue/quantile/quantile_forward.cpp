#include "nnue/quantile/quantile_forward.h"

#include <algorithm>

namespace aleph::nnue {
namespace {

std::int32_t clipped(std::int32_t sum) { return std::clamp(sum >> 6, 0, 127); }

std::int32_t step_of(std::int32_t t) {
  if (t <= -kQuantileOne) return 0;
  if (t >= kQuantileOne) return t;
  const std::int64_t raised = std::int64_t{t} + kQuantileOne;
  return static_cast<std::int32_t>(raised * raised / (4 * kQuantileOne));
}

}  // namespace

QuantileLogits quantile_logits_slow(const QuantileStack& stack, int width,
                                    const std::uint8_t* bytes) {
  std::array<std::int32_t, 32> z{}, y{};
  for (std::size_t o = 0; o < 16; ++o) {
    std::int32_t sum = stack.first_bias[o];
    for (std::size_t i = 0; i < static_cast<std::size_t>(width); ++i)
      sum += stack.first_weight[o * static_cast<std::size_t>(width) + i] * bytes[i];
    z[o] = static_cast<std::int32_t>(std::min<std::int64_t>((std::int64_t{sum} * sum) >> 19, 127));
    z[16 + o] = clipped(sum);
  }
  for (std::size_t o = 0; o < 32; ++o) {
    std::int32_t sum = stack.second_bias[o];
    for (std::size_t i = 0; i < 32; ++i) sum += stack.second_weight[o * 32 + i] * z[i];
    y[o] = clipped(sum);
  }
  QuantileLogits logits{};
  for (std::size_t k = 0; k < kQuantiles; ++k) {
    std::int32_t sum = stack.third_bias[k];
    for (std::size_t i = 0; i < 32; ++i) sum += stack.third_weight[k * 32 + i] * y[i];
    logits[k] = k == 0 ? sum : logits[k - 1] + step_of(sum);
  }
  return logits;
}

}  // namespace aleph::nnue
