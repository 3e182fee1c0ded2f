// NEON, as every 64-bit ARM has it.
#pragma once

#include <arm_neon.h>

#include <cstdint>

#include "nnue/simd/set_bits.h"

namespace aleph::nnue::simd {
namespace {

struct Neon {
  using Words = int16x8_t;
  using Sums = int32x4_t;
  using Bytes = int8x16_t;  // inputs are at most 127: signed or not is the same
  static constexpr int kWords = 8, kSums = 4, kTile = 16;

  static Words load(const std::int16_t* from) { return vld1q_s16(from); }
  static void store(std::int16_t* to, Words words) { vst1q_s16(to, words); }
  static Words add(Words a, Words b) { return vaddq_s16(a, b); }
  static Words sub(Words a, Words b) { return vsubq_s16(a, b); }
  static Words widen(const std::int8_t* from) { return vmovl_s8(vld1_s8(from)); }

  template <int Clip, int Shift>
  static uint8x8_t clipped_product(const std::int16_t* a, const std::int16_t* b) {
    const Words high = vdupq_n_s16(Clip), zero = vdupq_n_s16(0);
    const Words x = vmaxq_s16(vminq_s16(load(a), high), zero);
    const Words y = vmaxq_s16(vminq_s16(load(b), high), zero);
    const uint16x8_t product = vmulq_u16(vreinterpretq_u16_s16(x), vreinterpretq_u16_s16(y));
    if constexpr (Shift <= 8)
      return vshrn_n_u16(product, Shift);
    else
      return vmovn_u16(vshrq_n_u16(product, Shift));
  }
  template <int Clip, int Shift>
  static std::uint32_t product(const std::int16_t* a, const std::int16_t* b, std::uint8_t* out) {
    const uint8x16_t bytes = vcombine_u8(clipped_product<Clip, Shift>(a, b),
                                         clipped_product<Clip, Shift>(a + kWords, b + kWords));
    vst1q_u8(out, bytes);
    const uint32x4_t groups = vreinterpretq_u32_u8(bytes);
    const std::uint32_t bit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vtstq_u32(groups, groups), vld1q_u32(bit)));
  }

  using Blocks = uint16x8_t;
  static constexpr int kListed = 8;
  static Blocks first_blocks() { return vdupq_n_u16(0); }
  static Blocks next_blocks(Blocks first) { return vaddq_u16(first, vdupq_n_u16(8)); }
  static void list(std::uint32_t bits, Blocks first, std::uint16_t* to) {
    vst1q_u16(to, vaddw_u8(first, vld1_u8(kSetBits.place[bits])));
  }

  static Sums load_sums(const std::int32_t* from) { return vld1q_s32(from); }
  static void store_sums(std::int32_t* to, Sums sums) { vst1q_s32(to, sums); }
  static Sums add_sums(Sums a, Sums b) { return vaddq_s32(a, b); }
  static Sums zero() { return vdupq_n_s32(0); }
  static std::int32_t total(Sums sums) { return vaddvq_s32(sums); }
  static Bytes repeat(const std::uint8_t* four) {
    std::int32_t value;
    __builtin_memcpy(&value, four, 4);
    return vreinterpretq_s8_s32(vdupq_n_s32(value));
  }
  static Bytes load_bytes(const std::uint8_t* from) { return vreinterpretq_s8_u8(vld1q_u8(from)); }

  static Sums dot(Sums sums, Bytes bytes, const std::int8_t* weights) {
    const int8x16_t weight = vld1q_s8(weights);
    const int16x8_t low = vmull_s8(vget_low_s8(bytes), vget_low_s8(weight));
    const int16x8_t high = vmull_high_s8(bytes, weight);
    return vpadalq_s16(sums, vpaddq_s16(low, high));  // a pair of products fits 16 bits
  }

  // 8 sums cut to 16 bits: what is cut off would be clipped anyway.
  static int16x8_t narrow(const Sums* sums) {
    return vcombine_s16(vqmovn_s32(sums[0]), vqmovn_s32(sums[1]));
  }
  template <int SquareShift>
  static uint8x8_t squared(int16x8_t values) {
    const int16x8_t high =
        vcombine_s16(vshrn_n_s32(vmull_s16(vget_low_s16(values), vget_low_s16(values)), 16),
                     vshrn_n_s32(vmull_high_s16(values, values), 16));
    return vmin_u8(vqshrun_n_s16(high, SquareShift - 16), vdup_n_u8(127));
  }
  template <int ClipShift>
  static uint8x8_t clipped(int16x8_t values) {
    return vmin_u8(vqshrun_n_s16(values, ClipShift), vdup_n_u8(127));
  }
  template <int SquareShift, int ClipShift>
  static void activate(const Sums* sums, std::uint8_t* squares, std::uint8_t* clips) {
    const int16x8_t low = narrow(sums), high = narrow(sums + 2);
    vst1q_u8(squares, vcombine_u8(squared<SquareShift>(low), squared<SquareShift>(high)));
    vst1q_u8(clips, vcombine_u8(clipped<ClipShift>(low), clipped<ClipShift>(high)));
  }
  template <int ClipShift>
  static void clip(const Sums* sums, std::uint8_t* clips) {
    for (int half = 0; half < 2; ++half, sums += 4)
      vst1q_u8(clips + 16 * half,
               vcombine_u8(clipped<ClipShift>(narrow(sums)), clipped<ClipShift>(narrow(sums + 2))));
  }
};

}  // namespace
}  // namespace aleph::nnue::simd
