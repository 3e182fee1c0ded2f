// From the base's features to five quantiles.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "nnue/forward.h"
#include "nnue/quantile/quantile_network.h"

namespace aleph::nnue {

inline constexpr int kQuantiles = 5;
inline constexpr int kQuantileScale = 410, kQuantileOne = 8128;

using QuantileLogits = std::array<std::int32_t, kQuantiles>;  // never decreasing

QuantileLogits quantile_logits_slow(const QuantileStack& stack, int width,
                                    const std::uint8_t* bytes);

class QuantileForward {
 public:
  explicit QuantileForward(std::shared_ptr<const QuantileNetwork> network)
      : network_(std::move(network)) {}
  QuantileLogits logits(int bucket, const TransformedFeatures& features) const {
    return quantile_logits_slow(network_->stacks[static_cast<std::size_t>(bucket)], network_->width,
                                features.bytes.data());
  }

 private:
  std::shared_ptr<const QuantileNetwork> network_;
};

constexpr int quantile_units(std::int32_t base_units, std::int32_t logit) {
  return base_units + static_cast<int>(std::int64_t{kQuantileScale} * logit / kQuantileOne);
}

}  // namespace aleph::nnue
