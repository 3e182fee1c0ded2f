// AVX2, with or without the 8-bit dot product of AVX-VNNI, as the including file is compiled: hence
// the unnamed namespace in a header. With ALEPH_SIMDE the intrinsics come from SIMDe, which runs
// them on any processor: for tests.
#pragma once

#if defined(ALEPH_SIMDE)
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#include <simde/x86/avx512.h>
#else
#include <immintrin.h>
#endif

#include <cstdint>

#include "nnue/simd/set_bits.h"

namespace aleph::nnue::simd {
namespace {

struct Avx2 {
  using Words = __m256i;
  using Sums = __m256i;
  using Bytes = __m256i;
  static constexpr int kWords = 16, kSums = 8, kTile = 8;

  static __m256i vector(const void* from) {
    return _mm256_load_si256(static_cast<const __m256i*>(from));
  }

  static Words load(const std::int16_t* from) { return vector(from); }
  static void store(std::int16_t* to, Words words) {
    _mm256_store_si256(static_cast<__m256i*>(static_cast<void*>(to)), words);
  }
  static Words add(Words a, Words b) { return _mm256_add_epi16(a, b); }
  static Words sub(Words a, Words b) { return _mm256_sub_epi16(a, b); }
  static Words widen(const std::int8_t* from) {
    const void* const bytes = from;
    return _mm256_cvtepi8_epi16(_mm_load_si128(static_cast<const __m128i*>(bytes)));
  }

  // A factor below zero makes a product below zero, which the packing turns into zero: so only one
  // of the two must be cut there.
  template <int Clip, int Shift>
  static Words clipped_product(const std::int16_t* a, const std::int16_t* b) {
    const Words high = _mm256_set1_epi16(Clip), zero = _mm256_setzero_si256();
    const Words x = _mm256_max_epi16(_mm256_min_epi16(load(a), high), zero);
    const Words y = _mm256_min_epi16(load(b), high);
    if constexpr (Clip == 255)  // 255 << 7 still fits; mulhi shifts right by 16
      return _mm256_mulhi_epi16(_mm256_slli_epi16(x, 16 - Shift), y);
    else
      return _mm256_srli_epi16(_mm256_mullo_epi16(x, _mm256_max_epi16(y, zero)), Shift);
  }
  template <int Clip, int Shift>
  static std::uint32_t product(const std::int16_t* a, const std::int16_t* b, std::uint8_t* out) {
    const Words low = clipped_product<Clip, Shift>(a, b);
    const Words high = clipped_product<Clip, Shift>(a + kWords, b + kWords);
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0xD8);
    _mm256_store_si256(static_cast<__m256i*>(static_cast<void*>(out)), bytes);
    const __m256i some = _mm256_cmpgt_epi32(bytes, _mm256_setzero_si256());
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(some)));
  }

  using Blocks = __m128i;  // less the number within the eight
  static constexpr int kListed = 8;
  static Blocks first_blocks() { return _mm_setzero_si128(); }
  static Blocks next_blocks(Blocks first) { return _mm_add_epi16(first, _mm_set1_epi16(8)); }
  static void list(std::uint32_t bits, Blocks first, std::uint16_t* to) {
    const void* const from = kSetBits.place[bits];
    const __m128i eight = _mm_loadl_epi64(static_cast<const __m128i*>(from));
    const Blocks blocks = _mm_add_epi16(first, _mm_cvtepu8_epi16(eight));
    _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(to)), blocks);
  }

  static Sums load_sums(const std::int32_t* from) { return vector(from); }
  static void store_sums(std::int32_t* to, Sums sums) {
    _mm256_store_si256(static_cast<__m256i*>(static_cast<void*>(to)), sums);
  }
  static Sums add_sums(Sums a, Sums b) { return _mm256_add_epi32(a, b); }
  static Sums zero() { return _mm256_setzero_si256(); }
  static std::int32_t total(Sums sums) {
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xB1));
    return _mm_cvtsi128_si32(half);
  }
  static Bytes repeat(const std::uint8_t* four) {
    std::int32_t value;
    __builtin_memcpy(&value, four, 4);
    return _mm256_set1_epi32(value);
  }
  static Bytes load_bytes(const std::uint8_t* from) { return vector(from); }

  static Sums dot(Sums sums, Bytes bytes, const std::int8_t* weights) {
#if defined(ALEPH_SIMDE_VNNI)
    return simde_mm256_dpbusd_epi32(sums, bytes, vector(weights));
#elif defined(__AVXVNNI__) && !defined(ALEPH_SIMDE)
    return _mm256_dpbusd_avx_epi32(sums, bytes, vector(weights));
#else
    // Inputs are at most 127, so that a pair of products fits 16 bits; two pairs might not.
    const __m256i pairs = _mm256_maddubs_epi16(bytes, vector(weights));
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#endif
  }

  // 16 sums in order, cut to 16 bits: what is cut off would be clipped anyway.
  static __m256i narrow(const Sums* sums) {
    return _mm256_permute4x64_epi64(_mm256_packs_epi32(sums[0], sums[1]), 0xD8);
  }
  template <int SquareShift, int ClipShift>
  static void activate(const Sums* sums, std::uint8_t* squares, std::uint8_t* clipped) {
    const __m256i values = narrow(sums);
    const __m256i square = _mm256_srli_epi16(_mm256_mulhi_epi16(values, values), SquareShift - 16);
    const __m256i positive =
        _mm256_srai_epi16(_mm256_max_epi16(values, _mm256_setzero_si256()), ClipShift);
    const __m256i both = _mm256_permute4x64_epi64(_mm256_packs_epi16(square, positive), 0xD8);
    _mm_store_si128(static_cast<__m128i*>(static_cast<void*>(squares)),
                    _mm256_castsi256_si128(both));
    _mm_store_si128(static_cast<__m128i*>(static_cast<void*>(clipped)),
                    _mm256_extracti128_si256(both, 1));
  }
  template <int ClipShift>
  static void clip(const Sums* sums, std::uint8_t* clipped) {
    const auto positive = [](__m256i words) {
      return _mm256_srai_epi16(_mm256_max_epi16(words, _mm256_setzero_si256()), ClipShift);
    };
    const __m256i bytes = _mm256_packs_epi16(positive(narrow(sums)), positive(narrow(sums + 2)));
    _mm256_store_si256(static_cast<__m256i*>(static_cast<void*>(clipped)),
                       _mm256_permute4x64_epi64(bytes, 0xD8));
  }
};

}  // namespace
}  // namespace aleph::nnue::simd
