// The layers of a quantile network for x86-64 with AVX-512 (F, BW, DQ, VL) and VNNI.
#include "nnue/quantile/quantile_kernels.h"

#if defined(__AVX512VNNI__)
#include "nnue/quantile/quantile_layers.h"
#include "nnue/simd/avx2_isa.h"
#include "nnue/simd/avx512_isa.h"

namespace aleph::nnue {
QuantileKernel compiled_avx512_quantile_kernel() {
  return simd::quantile_answers<simd::Avx512, simd::Avx2>;
}
}  // namespace aleph::nnue

#else
namespace aleph::nnue {
QuantileKernel compiled_avx512_quantile_kernel() { return nullptr; }
}  // namespace aleph::nnue
#endif
