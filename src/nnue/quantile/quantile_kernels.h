// What the hardware must do for the layers of a quantile network. As with nnue/simd/kernels.h, a
// file that is compiled for AVX2 shares no inline code with the rest of the program: hence plain
// pointers and counts.
#pragma once

#include <cstdint>

namespace aleph::nnue {

inline constexpr int kPackedAnswers = 8;  // the five answers, and three that are zero

// The layers of one bucket, cut into blocks of four inputs: weight[input / 4][output][input % 4].
// Pointers are aligned to 64 bytes.
struct PackedQuantileStack {
  const std::int32_t* first_bias;    // [16]
  const std::int8_t* first_weight;   // [width / 4][16][4]
  const std::int32_t* second_bias;   // [32]
  const std::int8_t* second_weight;  // [8][32][4]
  const std::int32_t* third_bias;    // [8]
  const std::int8_t* third_weight;   // [8][8][4]
};

// From the bytes of the feature transformer to the sums of the third layer. Only the blocks listed
// are looked at: the others hold zeros.
using QuantileKernel = void (*)(const PackedQuantileStack& stack, const std::uint8_t* features,
                                const std::uint16_t* blocks, std::uint32_t block_count,
                                std::int32_t* answers);

void scalar_quantile_answers(const PackedQuantileStack& stack, const std::uint8_t* features,
                             const std::uint16_t* blocks, std::uint32_t block_count,
                             std::int32_t* answers);

// Of avx2_quantile.cpp and avx512_quantile.cpp; null where these were compiled for another kind of
// processor.
QuantileKernel compiled_avx2_quantile_kernel();
QuantileKernel compiled_avx512_quantile_kernel();

}  // namespace aleph::nnue
