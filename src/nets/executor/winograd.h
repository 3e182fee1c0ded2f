// Convolutions of 3x3 as products of waves (kernels/templates/winograd.h).
#pragma once

#include <memory>
#include <span>

#include "nets/executor/fusion.h"
#include "nets/executor/operation.h"
#include "nets/executor/weight_rows.h"
#include "nets/executor/weight_store.h"

namespace aleph::nets {

// How a layer's sums end, for operations that chains become.
class ChainEnding {
 public:
  explicit ChainEnding(const LayerChain& chain)
      : activation_(chain.activation), residual_(chain.residual) {}
  // Without bias.
  kernels::Finish finish(const Frame& frame) const;

 private:
  Activation activation_;
  std::optional<LayerChain::Residual> residual_;
};
std::vector<ValueId> chain_inputs(ValueId in, const LayerChain& chain);

// In words of 16 bits for int8: waves of bytes would be too coarse. Of planes: whole numbers, like
// counts of moves beside ones and zeros, are not rounded.
enum class WinogradForm { Floats, Words, WordsOfPlanes };
std::unique_ptr<Operation> make_winograd(ValueId in, const LayerChain& chain,
                                         const WeightRows& weights, std::span<const float> bias,
                                         WinogradForm form, WeightStore& store);

}  // namespace aleph::nets
