// AVX2 with FMA. In an unnamed namespace, since files are compiled for different processors.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace aleph::nets::kernels {
namespace {

struct Avx2 {
  using Floats = __m256;
  using Sums = __m256i;  // eight whole numbers of 32 bits
  static constexpr std::size_t kLanes = 8;
  // Rows of a tile of products, and how many panels of 16 columns it has: as many sums as there are
  // registers for.
  static constexpr std::size_t kFloatRows = 6, kByteRows = 4, kWordRows = 4, kTilePanels = 1;

  static Floats zero() { return _mm256_setzero_ps(); }
  static Floats all(float x) { return _mm256_set1_ps(x); }
  static Floats load(const float* from) { return _mm256_loadu_ps(from); }
  static void store(float* to, Floats x) { _mm256_storeu_ps(to, x); }
  static __m256i first(std::size_t count) {
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lanes);
  }
  static Floats load_some(const float* from, std::size_t count) {
    return _mm256_maskload_ps(from, first(count));
  }
  static void store_some(float* to, Floats x, std::size_t count) {
    _mm256_maskstore_ps(to, first(count), x);
  }
  static Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
  static Floats subtract(Floats a, Floats b) { return _mm256_sub_ps(a, b); }
  static Floats multiply(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
  static Floats divide(Floats a, Floats b) { return _mm256_div_ps(a, b); }
  static Floats multiply_add(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
  static Floats smaller(Floats a, Floats b) { return _mm256_min_ps(a, b); }
  static Floats larger(Floats a, Floats b) { return _mm256_max_ps(a, b); }
  static Floats magnitude(Floats x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), x); }
  static Floats with_sign_of(Floats x, Floats sign) {
    const __m256 bit = _mm256_set1_ps(-0.0F);
    return _mm256_or_ps(_mm256_andnot_ps(bit, x), _mm256_and_ps(bit, sign));
  }
  // x < limit ? a : b
  static Floats if_less(Floats x, Floats limit, Floats a, Floats b) {
    return _mm256_blendv_ps(b, a, _mm256_cmp_ps(x, limit, _CMP_LT_OQ));
  }
  static Floats rounded(Floats x) {
    return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  // x times two to the power of n, a whole number
  static Floats scaled_by_power(Floats x, Floats n) {
    const __m256i power = _mm256_slli_epi32(_mm256_cvtps_epi32(n), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(x), power));
  }
  static float total(Floats x) {
    __m128 half = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
  }
  static float largest(Floats x) {
    __m128 half = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    half = _mm_max_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_max_ss(half, _mm_movehdup_ps(half)));
  }
  static float root(float x) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x))); }

  // In its register: g++ 12 left to itself would read it again for every use.
  template <class Vector>
  static void keep(Vector& x) {
    asm("" : "+x"(x));
  }
  static Sums no_sums() { return _mm256_setzero_si256(); }
  static Floats to_floats(Sums sums) { return _mm256_cvtepi32_ps(sums); }

  // Four inputs for all columns, weights of eight columns by four inputs.
  using Quads = __m256i;
  static Quads repeat_four(const std::uint8_t* from) { return repeat_bits(from); }
  static Quads load_quads(const std::int8_t* from) { return vector(from); }
  static void dot(Sums& sums, Quads first_in, Quads first_weights, Quads second_in,
                  Quads second_weights) {
    const __m256i pairs = _mm256_add_epi16(_mm256_maddubs_epi16(first_in, first_weights),
                                           _mm256_maddubs_epi16(second_in, second_weights));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }
  // Two inputs of 16 bits, weights of eight columns by two inputs.
  using Pairs = __m256i;
  static Pairs repeat_two(const std::int16_t* from) { return repeat_bits(from); }
  static Pairs load_pairs(const std::int16_t* from) { return vector(from); }
  // kernels.h, WordProduct. g++ 12 left to itself copies sums from one register to another.
  static void quick_dot(Sums& sums, Pairs in, Pairs weights, Pairs second_in,
                        Pairs second_weights) {
    const __m256i products = _mm256_madd_epi16(_mm256_add_epi16(in, second_weights),
                                               _mm256_add_epi16(second_in, weights));
    asm("vpaddd %1, %0, %0" : "+x"(sums) : "x"(products));
  }
  static Sums all_sums(std::int32_t x) { return _mm256_set1_epi32(x); }
  static Sums load_sums(const std::int32_t* from) { return vector(from); }
  static Sums subtract_sums(Sums a, Sums b) { return _mm256_sub_epi32(a, b); }

  // Of each four numbers the first two times the last two; depth is a multiple of eight.
  static std::int32_t halves_dot(const std::int16_t* in, std::size_t depth) {
    __m256i wide = _mm256_setzero_si256();
    std::size_t k = 0;
    for (; k + 16 <= depth; k += 16) {
      const __m256i numbers = vector(in + k);
      wide =
          _mm256_add_epi32(wide, _mm256_madd_epi16(numbers, _mm256_shuffle_epi32(numbers, 0xB1)));
    }
    __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
    if (k < depth) {
      const __m128i numbers =
          _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(in + k)));
      sums = _mm_add_epi32(sums, _mm_madd_epi16(numbers, _mm_shuffle_epi32(numbers, 0xB1)));
    }
    // Every other sum is there twice.
    return _mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_unpackhi_epi64(sums, sums)));
  }

  // Whole numbers of 16 bits, twice as many as floats.
  using Words = __m256i;
  static constexpr std::size_t kWordLanes = 16;
  static Words no_words() { return _mm256_setzero_si256(); }
  static Words to_words(Floats first_half, Floats second_half) {
    const __m256i mixed = _mm256_packs_epi32(_mm256_cvtps_epi32(first_half),  // by halves of both
                                             _mm256_cvtps_epi32(second_half));
    return _mm256_permute4x64_epi64(mixed, 0xD8);
  }
  static Words add_words(Words a, Words b) { return _mm256_add_epi16(a, b); }
  static Words subtract_words(Words a, Words b) { return _mm256_sub_epi16(a, b); }
  static Words four_times(Words x) { return _mm256_slli_epi16(x, 2); }
  static void store_words(std::int16_t* to, Words x) {
    _mm256_storeu_si256(static_cast<__m256i*>(static_cast<void*>(to)), x);
  }
  // Half of them: there is no other part in groups.
  static void store_some_words(std::int16_t* to, Words x, std::size_t /*count*/) {
    _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(to)), _mm256_castsi256_si128(x));
  }

  // Whole numbers from 0 to 255, others become the nearest of these; and of 16 bits.
  static void store_bytes(std::uint8_t* to, Floats a, Floats b, Floats c, Floats d) {
    const __m256i first = _mm256_packs_epi32(_mm256_cvtps_epi32(a), _mm256_cvtps_epi32(b));
    const __m256i second = _mm256_packs_epi32(_mm256_cvtps_epi32(c), _mm256_cvtps_epi32(d));
    const __m256i mixed = _mm256_packus_epi16(first, second);  // by halves of all four
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    _mm256_storeu_si256(static_cast<__m256i*>(static_cast<void*>(to)),
                        _mm256_permutevar8x32_epi32(mixed, order));
  }
  // All eight: rows are whole groups.
  static void store_some_bytes(std::uint8_t* to, Floats x, std::size_t /*count*/) {
    const __m256i words = _mm256_packs_epi32(_mm256_cvtps_epi32(x), _mm256_setzero_si256());
    const __m256i bytes = _mm256_packus_epi16(words, words);
    const int low = _mm256_cvtsi256_si32(bytes);
    const int high = _mm_cvtsi128_si32(_mm256_extracti128_si256(bytes, 1));
    __builtin_memcpy(to, &low, 4);
    __builtin_memcpy(to + 4, &high, 4);
  }
  static void store_some_words(std::int16_t* to, Floats x, std::size_t /*count*/) {
    const __m256i whole = _mm256_cvtps_epi32(x);
    const __m128i words =
        _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(to)), words);
  }

  // Eight rows of eight, `stride` apart, become columns, `to_stride` apart.
  static void transpose(const float* from, std::size_t stride, float* to, std::size_t to_stride) {
    __m256 pairs[8], fours[8];
    for (std::size_t i = 0; i < 8; i += 2) {
      const __m256 a = load(from + i * stride), b = load(from + (i + 1) * stride);
      pairs[i] = _mm256_unpacklo_ps(a, b);
      pairs[i + 1] = _mm256_unpackhi_ps(a, b);
    }
    for (std::size_t i = 0; i < 8; i += 4) {
      fours[i] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
      fours[i + 1] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0xEE);
      fours[i + 2] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
      fours[i + 3] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xEE);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      store(to + i * to_stride, _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x20));
      store(to + (i + 4) * to_stride, _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x31));
    }
  }

  static void prefetch(const void* from) {
    _mm_prefetch(static_cast<const char*>(from), _MM_HINT_T0);
  }

 private:
  static __m256i vector(const void* from) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
  }
  static __m256i repeat_bits(const void* from) {
    std::int32_t bits;
    __builtin_memcpy(&bits, from, 4);
    return _mm256_set1_epi32(bits);
  }
};

}  // namespace
}  // namespace aleph::nets::kernels
