// src/nnue/simd/avx512.cpp with the intrinsics of SIMDe, which any processor can run.
#if __has_include(<simde/x86/avx512.h>)

#define ALEPH_SIMDE
#define avx512_kernels simde_avx512_kernels
#include "nnue/simd/avx512.cpp"  // NOLINT: a second copy of it, under another name

#endif
