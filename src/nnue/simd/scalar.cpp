// The reference: plain loops, on any processor.
#include "nnue/simd/kernels.h"

namespace aleph::nnue {
namespace {

std::int16_t wrapped(int value) { return static_cast<std::int16_t>(value); }

std::int32_t plus(std::int32_t sum, std::int32_t term) {  // wraps around
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) +
                                   static_cast<std::uint32_t>(term));
}

int clamped(int value, int high) { return value < 0 ? 0 : value > high ? high : value; }

template <int Width>
void update(const std::int16_t* from, const RowChanges& changes, std::int16_t* to,
            std::int16_t* also_to) {
  for (int j = 0; j < Width; ++j) {
    int sum = from[j];
    for (std::uint32_t i = 0; i < changes.added_count; ++i) sum += changes.added[i][j];
    for (std::uint32_t i = 0; i < changes.removed_count; ++i) sum -= changes.removed[i][j];
    for (std::uint32_t i = 0; i < changes.added_bytes_count; ++i) sum += changes.added_bytes[i][j];
    for (std::uint32_t i = 0; i < changes.removed_bytes_count; ++i)
      sum -= changes.removed_bytes[i][j];
    to[j] = wrapped(sum);
    if (also_to != nullptr) also_to[j] = wrapped(sum);
  }
}

template <int Width, int Clip, int Shift>
std::uint32_t transform(const std::int16_t* mover, const std::int16_t* other,
                        std::uint8_t* features, std::uint16_t* blocks) {
  constexpr int kHalf = Width / 2;
  for (int j = 0; j < Width; ++j) {
    const std::int16_t* const side = j < kHalf ? mover : other;
    const int a = clamped(side[j % kHalf], Clip), b = clamped(side[j % kHalf + kHalf], Clip);
    features[j] = static_cast<std::uint8_t>(a * b >> Shift);
  }
  std::uint32_t count = 0;
  for (int block = 0; block < Width / 4; ++block) {
    const std::uint8_t* const four = features + 4 * block;
    if ((four[0] | four[1] | four[2] | four[3]) != 0)
      blocks[count++] = static_cast<std::uint16_t>(block);
  }
  return count;
}

// weight[input / 4][output][input % 4]
template <int Inputs, int Outputs>
void dense(const std::int32_t* bias, const std::int8_t* weight, const std::uint8_t* inputs,
           std::int32_t* outputs) {
  for (int k = 0; k < Outputs; ++k) {
    outputs[k] = bias[k];
    for (int i = 0; i < Inputs; ++i)
      outputs[k] = plus(outputs[k], weight[(i / 4 * Outputs + k) * 4 + i % 4] * inputs[i]);
  }
}

std::uint8_t squared(std::int64_t value, int shift) {
  const std::int64_t square = value * value >> shift;
  return static_cast<std::uint8_t>(square > 127 ? 127 : square);
}
std::uint8_t clipped(std::int32_t value, int shift) {
  return static_cast<std::uint8_t>(clamped(value >> shift, 127));
}

template <int Width>
std::int32_t propagate_narrow(const PackedStack& stack, const std::uint8_t* features,
                              const std::uint16_t*, std::uint32_t) {
  std::int32_t first[16], second[32];
  std::uint8_t inputs[32], last[32];
  dense<Width, 16>(stack.first_bias, stack.first_weight, features, first);
  for (int i = 0; i < 16; ++i) {
    inputs[i] = squared(first[i], 19);
    inputs[16 + i] = clipped(first[i], 6);
  }
  dense<32, 32>(stack.second_bias, stack.second_weight, inputs, second);
  for (int i = 0; i < 32; ++i) last[i] = clipped(second[i], 6);
  std::int32_t third = stack.third_bias;
  for (int i = 0; i < 32; ++i) third = plus(third, stack.third_weight[i] * last[i]);
  return plus(third, static_cast<std::int32_t>(std::int64_t{first[15]} * 9600 / 8128));
}

template <int Width>
std::int32_t propagate_wide(const PackedStack& stack, const std::uint8_t* features,
                            const std::uint16_t*, std::uint32_t) {
  std::int32_t first[32], second[32];
  std::uint8_t inputs[128];
  dense<Width, 32>(stack.first_bias, stack.first_weight, features, first);
  for (int i = 0; i < 32; ++i) {
    inputs[i] = squared(first[i], 21);
    inputs[32 + i] = clipped(first[i], 7);
  }
  dense<64, 32>(stack.second_bias, stack.second_weight, inputs, second);
  for (int i = 0; i < 32; ++i) {
    inputs[64 + i] = squared(second[i], 19);
    inputs[96 + i] = clipped(second[i], 6);
  }
  std::int32_t third = stack.third_bias;
  for (int i = 0; i < 128; ++i) third = plus(third, stack.third_weight[i] * inputs[i]);
  const std::int64_t sum = std::int64_t{third} + first[30] - first[31];
  return static_cast<std::int32_t>(sum * 9600 / 16384);
}

template <int Width>
constexpr WidthKernels kernels_of() {
  return {Width,
          update<Width>,
          {transform<Width, 127, 7>, transform<Width, 255, 9>},
          {propagate_narrow<Width>, propagate_wide<Width>}};
}

constexpr WidthKernels kTable[kWidthCount] = {kernels_of<128>(),  kernels_of<256>(),
                                              kernels_of<1024>(), kernels_of<1536>(),
                                              kernels_of<2560>(), kernels_of<3072>()};
constexpr Kernels kKernels{"scalar", kTable};

}  // namespace

const Kernels& scalar_kernels() { return kKernels; }

}  // namespace aleph::nnue
