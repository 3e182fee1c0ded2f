// The tables of the kernel files. Null where a file was compiled for another kind of processor.
#pragma once

#include "nnue/simd/kernels.h"

namespace aleph::nnue {

const Kernels* avx2_kernels();
const Kernels* avx2_vnni_kernels();
const Kernels* avx512_kernels();
const Kernels* avx512_vnni_kernels();
const Kernels* neon_kernels();

}  // namespace aleph::nnue
