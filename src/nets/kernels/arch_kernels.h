// The tables of the kernel files. Null where a file was compiled for another kind of processor.
#pragma once

#include "nets/kernels/kernels.h"

namespace aleph::nets::kernels {

const Kernels* avx512_kernels();
const Kernels* avx2_kernels();

}  // namespace aleph::nets::kernels
