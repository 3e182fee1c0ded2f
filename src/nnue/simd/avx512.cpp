// Kernels for x86-64 with AVX-512 (F, BW, DQ, VL).
#include "nnue/simd/arch_kernels.h"

#if defined(ALEPH_SIMDE) || (defined(__AVX512BW__) && defined(__AVX512VL__))
#include "nnue/simd/avx512_isa.h"
#include "nnue/simd/kernel_templates.h"

namespace aleph::nnue {
namespace {
constexpr Kernels kKernels{"avx512", simd::kWidthKernels<simd::Avx512>};
}  // namespace
const Kernels* avx512_kernels() { return &kKernels; }
}  // namespace aleph::nnue

#else
namespace aleph::nnue {
const Kernels* avx512_kernels() { return nullptr; }
}  // namespace aleph::nnue
#endif
