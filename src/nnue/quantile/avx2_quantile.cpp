// The layers of a quantile network for x86-64 with AVX2.
#include "nnue/quantile/quantile_kernels.h"

#if defined(__AVX2__)
#include "nnue/quantile/quantile_layers.h"
#include "nnue/simd/avx2_isa.h"

namespace aleph::nnue {
QuantileKernel compiled_avx2_quantile_kernel() {
  return simd::quantile_answers<simd::Avx2, simd::Avx2>;
}
}  // namespace aleph::nnue

#else
namespace aleph::nnue {
QuantileKernel compiled_avx2_quantile_kernel() { return nullptr; }
}  // namespace aleph::nnue
#endif
