// Kernels for x86-64 with AVX2.
#include "nnue/simd/arch_kernels.h"

#if defined(__AVX2__)
#include "nnue/simd/avx2_isa.h"
#include "nnue/simd/kernel_templates.h"

namespace aleph::nnue {
namespace {
constexpr Kernels kKernels{"avx2", simd::kWidthKernels<simd::Avx2>};
}  // namespace
const Kernels* avx2_kernels() { return &kKernels; }
}  // namespace aleph::nnue

#else
namespace aleph::nnue {
const Kernels* avx2_kernels() { return nullptr; }
}  // namespace aleph::nnue
#endif
