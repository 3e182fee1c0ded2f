// Kernels for x86-64 with AVX-512 (F, BW, DQ, VL) and VNNI.
#include "nets/kernels/arch_kernels.h"

#if defined(__AVX512VNNI__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__)
#include "nets/kernels/templates/avx512_isa.h"
#include "nets/kernels/templates/table.h"

namespace aleph::nets::kernels {
namespace {
constexpr Kernels kKernels = table_of<Avx512>("avx512-vnni");
}  // namespace
const Kernels* avx512_kernels() { return &kKernels; }
}  // namespace aleph::nets::kernels

#else
namespace aleph::nets::kernels {
const Kernels* avx512_kernels() { return nullptr; }
}  // namespace aleph::nets::kernels
#endif
