// Numbers of 16 bits as they lie in files of weights, read as floats.
#pragma once

#include <bit>
#include <cstdint>

namespace aleph::nets {

// IEEE half: 1 sign, 5 exponent and 10 fraction bits.
constexpr float float_of_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1FU, fraction = half & 0x3FFU;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000U | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  constexpr float kSmallest = 1.0F / 16777216.0F;  // 2^-24
  const float size = static_cast<float>(fraction) * kSmallest;
  return sign != 0 ? -size : size;
}
static_assert(float_of_half(0x3C00) == 1 && float_of_half(0xC000) == -2);
static_assert(float_of_half(0x0400) == 1.0F / 16384 && float_of_half(0x0001) == 0x1p-24F);

// The upper half of a float.
constexpr float float_of_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}
static_assert(float_of_bfloat16(0x3F80) == 1);

}  // namespace aleph::nets
