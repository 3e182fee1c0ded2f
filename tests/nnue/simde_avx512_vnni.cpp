// src/nnue/simd/avx512_vnni.cpp with the intrinsics of SIMDe, which any processor can run.
#if __has_include(<simde/x86/avx512.h>)

#define ALEPH_SIMDE
#define ALEPH_SIMDE_VNNI
#define avx512_vnni_kernels simde_avx512_vnni_kernels
#include "nnue/simd/avx512_vnni.cpp"  // NOLINT: a second copy of it, under another name

#endif
