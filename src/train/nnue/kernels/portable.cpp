// Kernels for any processor.
#include "train/nnue/kernels/kernel_templates.h"

namespace aleph::train {
const NnueKernels& portable_nnue_kernels() {
  static constexpr NnueKernels kKernels = kernels_named("portable");
  return kKernels;
}
}  // namespace aleph::train
