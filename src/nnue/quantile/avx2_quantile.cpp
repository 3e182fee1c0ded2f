// The layers of a quantile network for x86-64 with AVX2: the building blocks of the kernels of
// Stockfish's networks, put together otherwise.
#include "nnue/quantile/quantile_kernels.h"

#if defined(__AVX2__)
#include "nnue/simd/avx2_isa.h"
#include "nnue/simd/kernel_templates.h"

namespace aleph::nnue {
namespace {

using simd::Avx2;

void answers_of(const PackedQuantileStack& stack, const std::uint8_t* features,
                const std::uint16_t* blocks, std::uint32_t block_count, std::int32_t* answers) {
  const PackedStack first_only{stack.first_bias, stack.first_weight, nullptr, nullptr, nullptr, 0};
  Avx2::Sums first[2], second[4], third[1];
  alignas(64) std::uint8_t inputs[32];
  alignas(64) std::uint8_t last[32];
  simd::first_layer<Avx2, 16>(first_only, features, blocks, block_count, first);
  Avx2::activate<19, 6>(first, inputs, inputs + 16);
  simd::small_layer<Avx2, 32, 32>(stack.second_bias, stack.second_weight, inputs, second);
  Avx2::clip<6>(second, last);
  Avx2::clip<6>(second + 2, last + 16);
  simd::small_layer<Avx2, 32, kPackedAnswers>(stack.third_bias, stack.third_weight, last, third);
  Avx2::store_sums(answers, third[0]);
}

}  // namespace

QuantileKernel compiled_avx2_quantile_kernel() { return answers_of; }

}  // namespace aleph::nnue

#else
namespace aleph::nnue {
QuantileKernel compiled_avx2_quantile_kernel() { return nullptr; }
}  // namespace aleph::nnue
#endif
