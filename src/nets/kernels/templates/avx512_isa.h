// AVX-512 (F, BW, DQ, VL) with VNNI. The meaning of each function is in avx2_isa.h.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace aleph::nets::kernels {
namespace {

struct Avx512 {
  using Floats = __m512;
  using Sums = __m512i;
  static constexpr std::size_t kLanes = 16;
  // A tile has two panels, so that an input which is read for all columns is used twice.
  static constexpr std::size_t kFloatRows = 12, kByteRows = 12, kWordRows = 10, kTilePanels = 2;

  static Floats zero() { return _mm512_setzero_ps(); }
  static Floats all(float x) { return _mm512_set1_ps(x); }
  static Floats load(const float* from) { return _mm512_loadu_ps(from); }
  static void store(float* to, Floats x) { _mm512_storeu_ps(to, x); }
  static Floats load_some(const float* from, std::size_t count) {
    return _mm512_maskz_loadu_ps(first(count), from);
  }
  static void store_some(float* to, Floats x, std::size_t count) {
    _mm512_mask_storeu_ps(to, first(count), x);
  }
  static Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
  static Floats subtract(Floats a, Floats b) { return _mm512_sub_ps(a, b); }
  static Floats multiply(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
  static Floats divide(Floats a, Floats b) { return _mm512_div_ps(a, b); }
  static Floats multiply_add(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
  static Floats smaller(Floats a, Floats b) { return _mm512_min_ps(a, b); }
  static Floats larger(Floats a, Floats b) { return _mm512_max_ps(a, b); }
  static Floats magnitude(Floats x) { return _mm512_andnot_ps(_mm512_set1_ps(-0.0F), x); }
  static Floats with_sign_of(Floats x, Floats sign) {
    const __m512 bit = _mm512_set1_ps(-0.0F);
    return _mm512_or_ps(_mm512_andnot_ps(bit, x), _mm512_and_ps(bit, sign));
  }
  static Floats if_less(Floats x, Floats limit, Floats a, Floats b) {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(x, limit, _CMP_LT_OQ), b, a);
  }
  static Floats rounded(Floats x) {
    return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  static Floats scaled_by_power(Floats x, Floats n) { return _mm512_scalef_ps(x, n); }
  static float total(Floats x) { return _mm512_reduce_add_ps(x); }
  static float largest(Floats x) { return _mm512_reduce_max_ps(x); }
  static float root(float x) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x))); }

  template <class Vector>
  static void keep(Vector& x) {
    asm("" : "+v"(x));
  }
  static Sums no_sums() { return _mm512_setzero_si512(); }
  static Floats to_floats(Sums sums) { return _mm512_cvtepi32_ps(sums); }

  using Quads = __m512i;
  static Quads repeat_four(const std::uint8_t* from) { return repeat_bits(from); }
  static Quads load_quads(const std::int8_t* from) { return _mm512_loadu_si512(from); }
  // Four products are added in 32 bits. g++ 12 left to itself copies sums from one register to
  // another, and some to memory.
  static void dot(Sums& sums, Quads first_in, Quads first_weights, Quads second_in,
                  Quads second_weights) {
    asm("vpdpbusd %1, %2, %0" : "+v"(sums) : "v"(first_weights), "v"(first_in));
    asm("vpdpbusd %1, %2, %0" : "+v"(sums) : "v"(second_weights), "v"(second_in));
  }
  using Pairs = __m512i;
  static Pairs repeat_two(const std::int16_t* from) { return repeat_bits(from); }
  static Pairs load_pairs(const std::int16_t* from) { return _mm512_loadu_si512(from); }
  // Two additions and a product take 1.5 cycles of a Zen 4, the two products they stand for 2.
  static void quick_dot(Sums& sums, Pairs in, Pairs weights, Pairs second_in,
                        Pairs second_weights) {
    const __m512i a = _mm512_add_epi16(in, second_weights);
    const __m512i b = _mm512_add_epi16(second_in, weights);
    asm("vpdpwssd %1, %2, %0" : "+v"(sums) : "v"(a), "v"(b));
  }
  static Sums all_sums(std::int32_t x) { return _mm512_set1_epi32(x); }
  static Sums load_sums(const std::int32_t* from) { return _mm512_loadu_si512(from); }
  static Sums subtract_sums(Sums a, Sums b) { return _mm512_sub_epi32(a, b); }

  static std::int32_t halves_dot(const std::int16_t* in, std::size_t depth) {
    return _mm512_mask_reduce_add_epi32(kEveryOther, halves_sums(in, depth));
  }
  // Of four rows, one behind the other: their lanes are added up together.
  static void four_halves_dots(const std::int16_t* in, std::size_t depth, std::int32_t* dots) {
    const __m512i first_two = _mm512_mask_blend_epi32(kEveryOther, halves_sums(in + depth, depth),
                                                      halves_sums(in, depth));
    const __m512i last_two = _mm512_mask_blend_epi32(
        kEveryOther, halves_sums(in + 3 * depth, depth), halves_sums(in + 2 * depth, depth));
    const __m512i fours = _mm512_add_epi32(_mm512_unpacklo_epi64(first_two, last_two),
                                           _mm512_unpackhi_epi64(first_two, last_two));
    const __m256i half =
        _mm256_add_epi32(_mm512_castsi512_si256(fours), _mm512_extracti64x4_epi64(fours, 1));
    _mm_storeu_si128(
        static_cast<__m128i*>(static_cast<void*>(dots)),
        _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1)));
  }

  using Words = __m512i;
  static constexpr std::size_t kWordLanes = 32;
  static Words no_words() { return _mm512_setzero_si512(); }
  static Words to_words(Floats first_half, Floats second_half) {
    const __m512i mixed = _mm512_packs_epi32(_mm512_cvtps_epi32(first_half),  // by quarters of both
                                             _mm512_cvtps_epi32(second_half));
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), mixed);
  }
  static Words add_words(Words a, Words b) { return _mm512_add_epi16(a, b); }
  static Words subtract_words(Words a, Words b) { return _mm512_sub_epi16(a, b); }
  static Words four_times(Words x) { return _mm512_slli_epi16(x, 2); }
  static void store_words(std::int16_t* to, Words x) { _mm512_storeu_si512(to, x); }
  static void store_some_words(std::int16_t* to, Words x, std::size_t count) {
    _mm512_mask_storeu_epi16(to, first_words(count), x);
  }

  static void store_bytes(std::uint8_t* to, Floats a, Floats b, Floats c, Floats d) {
    const __m512i front = _mm512_packs_epi32(_mm512_cvtps_epi32(a), _mm512_cvtps_epi32(b));
    const __m512i back = _mm512_packs_epi32(_mm512_cvtps_epi32(c), _mm512_cvtps_epi32(d));
    const __m512i mixed = _mm512_packus_epi16(front, back);  // by quarters of all four
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm512_storeu_si512(to, _mm512_permutexvar_epi32(order, mixed));
  }
  static void store_some_bytes(std::uint8_t* to, Floats x, std::size_t count) {
    const __m512i whole = _mm512_max_epi32(_mm512_cvtps_epi32(x), _mm512_setzero_si512());
    _mm512_mask_cvtusepi32_storeu_epi8(to, first(count), whole);
  }
  static void store_some_words(std::int16_t* to, Floats x, std::size_t count) {
    _mm512_mask_cvtsepi32_storeu_epi16(to, first(count), _mm512_cvtps_epi32(x));
  }

  // Sixteen rows of sixteen, `stride` apart, become columns, `to_stride` apart.
  static void transpose(const float* from, std::size_t stride, float* to, std::size_t to_stride) {
    __m512 pairs[16], fours[16];
    for (std::size_t i = 0; i < 16; i += 2) {
      const __m512 a = load(from + i * stride), b = load(from + (i + 1) * stride);
      pairs[i] = _mm512_unpacklo_ps(a, b);
      pairs[i + 1] = _mm512_unpackhi_ps(a, b);
    }
    for (std::size_t i = 0; i < 16; i += 4) {
      fours[i] = _mm512_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
      fours[i + 1] = _mm512_shuffle_ps(pairs[i], pairs[i + 2], 0xEE);
      fours[i + 2] = _mm512_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
      fours[i + 3] = _mm512_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xEE);
    }
    // fours[4 n + c] has of rows 4 n to 4 n + 3 the columns c, c + 4, c + 8, c + 12.
    for (std::size_t c = 0; c < 4; ++c) {
      const __m512 low = _mm512_shuffle_f32x4(fours[c], fours[4 + c], 0x44);
      const __m512 low_end = _mm512_shuffle_f32x4(fours[c], fours[4 + c], 0xEE);
      const __m512 high = _mm512_shuffle_f32x4(fours[8 + c], fours[12 + c], 0x44);
      const __m512 high_end = _mm512_shuffle_f32x4(fours[8 + c], fours[12 + c], 0xEE);
      store(to + c * to_stride, _mm512_shuffle_f32x4(low, high, 0x88));
      store(to + (c + 4) * to_stride, _mm512_shuffle_f32x4(low, high, 0xDD));
      store(to + (c + 8) * to_stride, _mm512_shuffle_f32x4(low_end, high_end, 0x88));
      store(to + (c + 12) * to_stride, _mm512_shuffle_f32x4(low_end, high_end, 0xDD));
    }
  }

  static void prefetch(const void* from) {
    _mm_prefetch(static_cast<const char*>(from), _MM_HINT_T0);
  }

 private:
  static __mmask16 first(std::size_t count) {
    return static_cast<__mmask16>(count < kLanes ? (1U << count) - 1 : 0xFFFFU);
  }
  static __mmask32 first_words(std::size_t count) {
    return static_cast<__mmask32>((std::uint64_t{1} << count) - 1);  // at most 32
  }
  static constexpr __mmask16 kEveryOther = 0x5555;
  static __m512i add_halves(__m512i sums, __m512i numbers) {
    return _mm512_dpwssd_epi32(sums, numbers, _mm512_shuffle_epi32(numbers, _MM_PERM_CDAB));
  }
  // Parts of halves_dot; each is there twice, side by side.
  static __m512i halves_sums(const std::int16_t* in, std::size_t depth) {
    __m512i sums = _mm512_setzero_si512();
    std::size_t k = 0;
    for (; k + kWordLanes <= depth; k += kWordLanes)
      sums = add_halves(sums, _mm512_loadu_si512(in + k));
    if (k < depth)
      sums = add_halves(sums, _mm512_maskz_loadu_epi16(first_words(depth - k), in + k));
    return sums;
  }
  static __m512i repeat_bits(const void* from) {
    std::int32_t bits;
    __builtin_memcpy(&bits, from, 4);
    return _mm512_set1_epi32(bits);
  }
};

}  // namespace
}  // namespace aleph::nets::kernels
