// Kernels for x86-64 with AVX2 and FMA.
#include "train/nnue/kernels/kernels.h"

#if defined(__AVX2__) && defined(__FMA__)
#include "train/nnue/kernels/kernel_templates.h"

namespace aleph::train {
const NnueKernels* avx2_nnue_kernels() {
  static constexpr NnueKernels kKernels = kernels_named("avx2");
  return &kKernels;
}
}  // namespace aleph::train

#else
namespace aleph::train {
const NnueKernels* avx2_nnue_kernels() { return nullptr; }
}  // namespace aleph::train
#endif
