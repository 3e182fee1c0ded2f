// Kernels for 64-bit ARM (NEON).
#include "nnue/simd/arch_kernels.h"

#if defined(__aarch64__)
#include "nnue/simd/kernel_templates.h"
#include "nnue/simd/neon_isa.h"

namespace aleph::nnue {
namespace {
constexpr Kernels kKernels{"neon", simd::kWidthKernels<simd::Neon>};
}  // namespace
const Kernels* neon_kernels() { return &kKernels; }
}  // namespace aleph::nnue

#else
namespace aleph::nnue {
const Kernels* neon_kernels() { return nullptr; }
}  // namespace aleph::nnue
#endif
