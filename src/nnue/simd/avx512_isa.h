// AVX-512 (F, BW, DQ, VL), with or without the 8-bit dot product of VNNI, as the including file is
// compiled: hence the unnamed namespace in a header.
// With ALEPH_SIMDE the intrinsics come from SIMDe, which runs them on any processor: for tests.
#pragma once

#if defined(ALEPH_SIMDE)
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#include <simde/x86/avx512.h>
#undef _mm512_madd_epi16  // SIMDe 0.7 gives this name to the masked form
#define _mm512_madd_epi16 simde_mm512_madd_epi16
#else
#include <immintrin.h>
#endif

#include <cstdint>

namespace aleph::nnue::simd {
namespace {

struct Avx512 {
  using Words = __m512i;
  using Sums = __m512i;
  using Bytes = __m512i;
  static constexpr int kWords = 32, kSums = 16, kTile = 16;

  static __m512i vector(const void* from) { return _mm512_load_si512(from); }

  static Words load(const std::int16_t* from) { return vector(from); }
  static void store(std::int16_t* to, Words words) { _mm512_store_si512(to, words); }
  static Words add(Words a, Words b) { return _mm512_add_epi16(a, b); }
  static Words sub(Words a, Words b) { return _mm512_sub_epi16(a, b); }
  static Words widen(const std::int8_t* from) {
    const void* const bytes = from;
    return _mm512_cvtepi8_epi16(_mm256_load_si256(static_cast<const __m256i*>(bytes)));
  }

  // A factor below zero makes a product below zero, which the packing turns into zero: so only one
  // of the two must be cut there.
  template <int Clip, int Shift>
  static Words clipped_product(const std::int16_t* a, const std::int16_t* b) {
    const Words high = _mm512_set1_epi16(Clip), zero = _mm512_setzero_si512();
    const Words x = _mm512_max_epi16(_mm512_min_epi16(load(a), high), zero);
    const Words y = _mm512_min_epi16(load(b), high);
    if constexpr (Clip == 255)  // 255 << 7 still fits; mulhi shifts right by 16
      return _mm512_mulhi_epi16(_mm512_slli_epi16(x, 16 - Shift), y);
    else
      return _mm512_srli_epi16(_mm512_mullo_epi16(x, _mm512_max_epi16(y, zero)), Shift);
  }
  template <int Clip, int Shift>
  static std::uint32_t product(const std::int16_t* a, const std::int16_t* b, std::uint8_t* out) {
    const Words low = clipped_product<Clip, Shift>(a, b);
    const Words high = clipped_product<Clip, Shift>(a + kWords, b + kWords);
    const __m512i order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
    const __m512i bytes = _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high));
    _mm512_store_si512(out, bytes);
    return _mm512_test_epi32_mask(bytes, bytes);
  }

  using Blocks = __m512i;
  static constexpr int kListed = 16;
  static Blocks first_blocks() {
    return _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  }
  static Blocks next_blocks(Blocks numbers) {
    return _mm512_add_epi32(numbers, _mm512_set1_epi32(kListed));
  }
  static void list(std::uint32_t bits, Blocks numbers, std::uint16_t* to) {
    const Blocks listed = _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), numbers);
    _mm256_storeu_si256(static_cast<__m256i*>(static_cast<void*>(to)),
                        _mm512_cvtsepi32_epi16(listed));
  }

  static Sums load_sums(const std::int32_t* from) { return vector(from); }
  static void store_sums(std::int32_t* to, Sums sums) { _mm512_store_si512(to, sums); }
  static Sums add_sums(Sums a, Sums b) { return _mm512_add_epi32(a, b); }
  static Sums zero() { return _mm512_setzero_si512(); }
  static std::int32_t total(Sums sums) {
    const __m256i quarter =
        _mm256_add_epi32(_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64(sums, 1));
    __m128i half =
        _mm_add_epi32(_mm256_castsi256_si128(quarter), _mm256_extracti128_si256(quarter, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xB1));
    return _mm_cvtsi128_si32(half);
  }
  static Bytes repeat(const std::uint8_t* four) {
    std::int32_t value;
    __builtin_memcpy(&value, four, 4);
    return _mm512_set1_epi32(value);
  }
  static Bytes load_bytes(const std::uint8_t* from) { return vector(from); }

  static Sums dot(Sums sums, Bytes bytes, const std::int8_t* weights) {
#if defined(ALEPH_SIMDE_VNNI) || (defined(__AVX512VNNI__) && !defined(ALEPH_SIMDE))
    return _mm512_dpbusd_epi32(sums, bytes, vector(weights));
#else
    // Inputs are at most 127, so that a pair of products fits 16 bits; two pairs might not.
    const __m512i pairs = _mm512_maddubs_epi16(bytes, vector(weights));
    return _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
#endif
  }

  // 16 sums cut to 16 bits: what is cut off would be clipped anyway.
  static __m256i narrow(const Sums* sums) { return _mm512_cvtsepi32_epi16(sums[0]); }
  template <int SquareShift, int ClipShift>
  static void activate(const Sums* sums, std::uint8_t* squares, std::uint8_t* clipped) {
    const __m256i values = narrow(sums);
    const __m256i square = _mm256_srli_epi16(_mm256_mulhi_epi16(values, values), SquareShift - 16);
    const __m256i positive =
        _mm256_srai_epi16(_mm256_max_epi16(values, _mm256_setzero_si256()), ClipShift);
    const __m256i both = _mm256_permute4x64_epi64(_mm256_packs_epi16(square, positive), 0xD8);
    store_half(squares, _mm256_castsi256_si128(both));
    store_half(clipped, _mm256_extracti128_si256(both, 1));
  }
  template <int ClipShift>
  static void clip(const Sums* sums, std::uint8_t* clipped) {
    const __m512i words =
        _mm512_inserti64x4(_mm512_castsi256_si512(narrow(sums)), narrow(sums + 1), 1);
    const __m512i positive =
        _mm512_srai_epi16(_mm512_max_epi16(words, _mm512_setzero_si512()), ClipShift);
    // Zeroes included, in one piece: it is read in one piece at once.
    _mm512_store_si512(
        clipped, _mm512_inserti64x4(_mm512_setzero_si512(), _mm512_cvtsepi16_epi8(positive), 0));
  }
  static void store_half(std::uint8_t* to, __m128i bytes) {
    _mm_store_si128(static_cast<__m128i*>(static_cast<void*>(to)), bytes);
  }
};

}  // namespace
}  // namespace aleph::nnue::simd
