// The layers of a quantile network over an instruction set: the building blocks of the kernels of
// Stockfish's networks (nnue/simd/kernel_templates.h), put together otherwise. The third layer has
// eight sums, which fill half a vector of the widest set: it may have a set of its own.
#pragma once

#include "nnue/quantile/quantile_kernels.h"
#include "nnue/simd/kernel_templates.h"

namespace aleph::nnue::simd {

template <class Isa, class LastIsa>
void quantile_answers(const PackedQuantileStack& stack, const std::uint8_t* features,
                      const std::uint16_t* blocks, std::uint32_t block_count,
                      std::int32_t* answers) {
  static_assert(LastIsa::kSums == kPackedAnswers);
  const PackedStack first_only{stack.first_bias, stack.first_weight, nullptr, nullptr, nullptr, 0};
  typename Isa::Sums first[kVectorsFor16<Isa>], second[2 * kVectorsFor16<Isa>];
  typename LastIsa::Sums third[1];
  alignas(64) std::uint8_t inputs[32];
  alignas(64) std::uint8_t last[64];  // a vector's worth, and no more than the widest
  first_layer<Isa, 16>(first_only, features, blocks, block_count, first);
  Isa::template activate<19, 6>(first, inputs, inputs + 16);
  small_layer<Isa, 32, 32>(stack.second_bias, stack.second_weight, inputs, second);
  Isa::template clip<6>(second, last);
  small_layer<LastIsa, 32, kPackedAnswers>(stack.third_bias, stack.third_weight, last, third);
  LastIsa::store_sums(answers, third[0]);
}

}  // namespace aleph::nnue::simd
