// Vectors of four, as g++ and clang make them for any processor. The meaning of each function is in
// avx2_isa.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aleph::nets::kernels {
namespace {

struct Portable {
  using Floats = float __attribute__((vector_size(16)));
  using Sums = std::int32_t __attribute__((vector_size(16)));
  static constexpr std::size_t kLanes = 4;
  static constexpr std::size_t kFloatRows = 2, kByteRows = 2, kWordRows = 2, kTilePanels = 1;

  static Floats zero() { return Floats{}; }
  static Floats all(float x) { return Floats{x, x, x, x}; }
  static Floats load(const float* from) {
    Floats x;
    __builtin_memcpy(&x, from, sizeof x);
    return x;
  }
  static void store(float* to, Floats x) { __builtin_memcpy(to, &x, sizeof x); }
  static Floats load_some(const float* from, std::size_t count) {
    Floats x{};
    for (std::size_t i = 0; i < count && i < kLanes; ++i) x[i] = from[i];
    return x;
  }
  static void store_some(float* to, Floats x, std::size_t count) {
    for (std::size_t i = 0; i < count && i < kLanes; ++i) to[i] = x[i];
  }
  static Floats add(Floats a, Floats b) { return a + b; }
  static Floats subtract(Floats a, Floats b) { return a - b; }
  static Floats multiply(Floats a, Floats b) { return a * b; }
  static Floats divide(Floats a, Floats b) { return a / b; }
  static Floats multiply_add(Floats a, Floats b, Floats c) { return a * b + c; }
  static Floats smaller(Floats a, Floats b) { return a < b ? a : b; }
  static Floats larger(Floats a, Floats b) { return a > b ? a : b; }
  static Floats magnitude(Floats x) { return bits_to_floats(bits_of(x) & 0x7FFFFFFF); }
  static Floats with_sign_of(Floats x, Floats sign) {
    return bits_to_floats((bits_of(x) & 0x7FFFFFFF) | (bits_of(sign) & kSignBit));
  }
  static Floats if_less(Floats x, Floats limit, Floats a, Floats b) { return x < limit ? a : b; }
  // To the nearest, ties to even, as long as |x| < 2^22: adding this leaves no room for fractions.
  static Floats rounded(Floats x) {
    const Floats shift = all(12582912.0F);
    return (x + shift) - shift;
  }
  static Floats scaled_by_power(Floats x, Floats n) {
    return bits_to_floats(bits_of(x) + __builtin_convertvector(n, Sums) * (1 << 23));
  }
  static float total(Floats x) { return (x[0] + x[2]) + (x[1] + x[3]); }
  static float largest(Floats x) {
    const float a = x[0] > x[1] ? x[0] : x[1], b = x[2] > x[3] ? x[2] : x[3];
    return a > b ? a : b;
  }
  static float root(float x) { return __builtin_sqrtf(x); }

  template <class Vector>
  static void keep(Vector&) {}
  static Sums no_sums() { return Sums{}; }
  static Floats to_floats(Sums sums) { return __builtin_convertvector(sums, Floats); }
  struct Quads {
    std::int16_t numbers[16];
  };
  static Quads repeat_four(const std::uint8_t* from) {
    Quads quads;
    for (std::size_t i = 0; i < 16; ++i) quads.numbers[i] = from[i % 4];
    return quads;
  }
  static Quads load_quads(const std::int8_t* from) {
    Quads quads;
    for (std::size_t i = 0; i < 16; ++i) quads.numbers[i] = from[i];
    return quads;
  }
  static void dot(Sums& sums, const Quads& in, const Quads& weights, const Quads& second_in,
                  const Quads& second_weights) {
    for (std::size_t i = 0; i < 16; ++i)
      sums[i / 4] +=
          in.numbers[i] * weights.numbers[i] + second_in.numbers[i] * second_weights.numbers[i];
  }
  struct Pairs {
    std::int16_t numbers[8];
  };
  static Pairs repeat_two(const std::int16_t* from) {
    Pairs pairs;
    for (std::size_t i = 0; i < 8; ++i) pairs.numbers[i] = from[i % 2];
    return pairs;
  }
  static Pairs load_pairs(const std::int16_t* from) {
    Pairs pairs;
    __builtin_memcpy(&pairs, from, sizeof pairs);
    return pairs;
  }
  static void quick_dot(Sums& sums, const Pairs& in, const Pairs& weights, const Pairs& second_in,
                        const Pairs& second_weights) {
    for (std::size_t i = 0; i < 8; ++i)
      sums[i / 2] = wrapped(sums[i / 2], (in.numbers[i] + second_weights.numbers[i]) *
                                             (second_in.numbers[i] + weights.numbers[i]));
  }
  static Sums all_sums(std::int32_t x) { return Sums{x, x, x, x}; }
  static Sums load_sums(const std::int32_t* from) {
    Sums x;
    __builtin_memcpy(&x, from, sizeof x);
    return x;
  }
  static Sums subtract_sums(Sums a, Sums b) {
    for (std::size_t i = 0; i < kLanes; ++i) a[i] = wrapped(a[i], -static_cast<std::int64_t>(b[i]));
    return a;
  }

  static std::int32_t halves_dot(const std::int16_t* in, std::size_t depth) {
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < depth; k += 4)
      for (std::size_t i = k; i < k + 2; ++i) sum = wrapped(sum, in[i] * in[i + 2]);
    return sum;
  }

  using Words = std::int16_t __attribute__((vector_size(16)));
  static constexpr std::size_t kWordLanes = 8;
  static Words no_words() { return Words{}; }
  static Words to_words(Floats first_half, Floats second_half) {
    std::int16_t numbers[kWordLanes];
    store_some_words(numbers, first_half, kLanes);
    store_some_words(numbers + kLanes, second_half, kLanes);
    Words words;
    __builtin_memcpy(&words, numbers, sizeof words);
    return words;
  }
  static Words add_words(Words a, Words b) { return a + b; }
  static Words subtract_words(Words a, Words b) { return a - b; }
  static Words four_times(Words x) { return x * 4; }
  static void store_words(std::int16_t* to, Words x) { __builtin_memcpy(to, &x, sizeof x); }
  static void store_some_words(std::int16_t* to, Words x, std::size_t count) {
    __builtin_memcpy(to, &x, count * sizeof *to);
  }

  static void store_some_bytes(std::uint8_t* to, Floats x, std::size_t count) {
    const Floats whole = rounded(smaller(larger(x, zero()), all(255.0F)));
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::uint8_t>(whole[i]);
  }
  static void store_bytes(std::uint8_t* to, Floats a, Floats b, Floats c, Floats d) {
    store_some_bytes(to, a, kLanes);
    store_some_bytes(to + kLanes, b, kLanes);
    store_some_bytes(to + 2 * kLanes, c, kLanes);
    store_some_bytes(to + 3 * kLanes, d, kLanes);
  }
  static void store_some_words(std::int16_t* to, Floats x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::int16_t>(rounded(x)[i]);
  }

  static void transpose(const float* from, std::size_t stride, float* to, std::size_t to_stride) {
    for (std::size_t i = 0; i < kLanes; ++i)
      for (std::size_t j = 0; j < kLanes; ++j) to[j * to_stride + i] = from[i * stride + j];
  }

  static void prefetch(const void* from) { __builtin_prefetch(from); }

 private:
  // A sum that may wrap.
  static std::int32_t wrapped(std::int32_t a, std::int64_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  }
  static constexpr std::int32_t kSignBit = -0x7FFFFFFF - 1;
  static Sums bits_of(Floats x) {
    Sums bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
  }
  static Floats bits_to_floats(Sums bits) {
    Floats x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
  }
};

}  // namespace
}  // namespace aleph::nets::kernels
