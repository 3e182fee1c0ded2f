// Kernels for x86-64 with AVX2 and FMA.
#include "nets/kernels/arch_kernels.h"

#if defined(__AVX2__) && defined(__FMA__)
#include "nets/kernels/templates/avx2_isa.h"
#include "nets/kernels/templates/table.h"

namespace aleph::nets::kernels {
namespace {
constexpr Kernels kKernels = table_of<Avx2>("avx2");
}  // namespace
const Kernels* avx2_kernels() { return &kKernels; }
}  // namespace aleph::nets::kernels

#else
namespace aleph::nets::kernels {
const Kernels* avx2_kernels() { return nullptr; }
}  // namespace aleph::nets::kernels
#endif
