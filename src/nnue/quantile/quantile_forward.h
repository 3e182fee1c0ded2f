// From the bytes of a feature transformer to five quantiles: slowly, as the contract reads, and
// fast, with packed layers. Both give the same integers, on every processor.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "base/memory.h"
#include "nnue/forward.h"
#include "nnue/output.h"
#include "nnue/quantile/quantile_kernels.h"
#include "nnue/quantile/quantile_network.h"

namespace aleph::nnue {

// By how much each quantile lies above the base's own value; kQuantileOne is one logit. Never
// decreasing.
using QuantileLogits = std::array<std::int32_t, kQuantiles>;

// What the base says of itself, in internal units: where the logits count from.
constexpr int base_units(const RawOutput& raw) {
  return static_cast<int>((std::int64_t{raw.psqt} + raw.positional) / 16);
}

// A quantile in internal units. Monotone in the logit, so quantiles in units cannot cross either.
constexpr int quantile_units(std::int32_t base, std::int32_t logit) {
  return static_cast<int>(base + std::int64_t{kQuantileScale} * logit / kQuantileOne);
}

// How far a quantile lies above the one before, from an answer of the last layer: nothing far below
// zero, the answer itself far above, a parabola between the two lines. Never negative.
constexpr std::int32_t quantile_step(std::int32_t answer) {
  constexpr std::int64_t kBend = kQuantileOne;
  if (answer <= -kBend) return 0;
  if (answer >= kBend) return answer;
  const std::int64_t above = answer + kBend;
  return static_cast<std::int32_t>(above * above / (4 * kBend));
}

// The reference. `bytes` holds `width` bytes from 0 to 127, in the order of the base's file.
QuantileLogits quantile_logits_slow(const QuantileStack& stack, int width,
                                    const std::uint8_t* bytes);

// Those that this processor can run, the fastest first; the last is scalar.
std::span<const QuantileKernel> runnable_quantile_kernels();
inline QuantileKernel best_quantile_kernel() { return runnable_quantile_kernels().front(); }

// A quantile network with its layers packed. Never changed, shared by all threads.
class QuantileForward {
 public:
  // `neuron_order` is that of the base in memory (Network::neuron_order): the features come in it.
  explicit QuantileForward(std::shared_ptr<const QuantileNetwork> network,
                           std::span<const std::uint16_t> neuron_order = {},
                           QuantileKernel kernel = best_quantile_kernel());

  const QuantileNetwork& network() const { return *network_; }

  QuantileLogits logits(int bucket, const TransformedFeatures& features) const;

 private:
  std::shared_ptr<const QuantileNetwork> network_;
  QuantileKernel kernel_;
  AlignedVector<std::int8_t> weights_;  // of all stacks, one behind the other
  AlignedVector<std::int32_t> biases_;
  std::array<PackedQuantileStack, kBuckets> stacks_{};
};

}  // namespace aleph::nnue
