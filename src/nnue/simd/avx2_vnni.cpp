// Kernels for x86-64 with AVX2 and AVX-VNNI (8-bit dot products in 256-bit registers).
#include "nnue/simd/arch_kernels.h"

#if defined(ALEPH_SIMDE) || defined(__AVXVNNI__)
#include "nnue/simd/avx2_isa.h"
#include "nnue/simd/kernel_templates.h"

namespace aleph::nnue {
namespace {
constexpr Kernels kKernels{"avx2-vnni", simd::kWidthKernels<simd::Avx2>};
}  // namespace
const Kernels* avx2_vnni_kernels() { return &kKernels; }
}  // namespace aleph::nnue

#else
namespace aleph::nnue {
const Kernels* avx2_vnni_kernels() { return nullptr; }
}  // namespace aleph::nnue
#endif
