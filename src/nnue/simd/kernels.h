// What the hardware must do for a network: whole rows and layers per call, never one vector.
// One .cpp per instruction set fills a table; all tables give the same integers, bit for bit.
//
// The kernel files are compiled for processors that this machine may not be. They share no inline
// code with the rest of the program, or the linker might keep their copy of it: hence plain
// pointers and counts here, and nothing from the standard library that has a body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aleph::nnue {

// The rows an accumulator gains and loses. Byte rows belong to threats and pawn pairs.
struct RowChanges {
  const std::int16_t* const* added = nullptr;
  const std::int16_t* const* removed = nullptr;
  const std::int8_t* const* added_bytes = nullptr;
  const std::int8_t* const* removed_bytes = nullptr;
  std::uint32_t added_count = 0, removed_count = 0;
  std::uint32_t added_bytes_count = 0, removed_bytes_count = 0;
};

// The two shapes of dense layers. Narrow: 16 outputs, the last of them a skip connection (StackKind
// V4 and V5). Wide: 32 outputs, whose activations the third layer sees too (V16).
enum class StackShape : std::uint8_t { Narrow, Wide };

// The dense layers of one bucket in the order the kernels read them. The first two are cut into
// blocks of four inputs: weight[input / 4][output][input % 4]. The inputs of the second layer are
// the squares of all outputs of the first, then these outputs clipped; an input that the network
// does not use has zero weights.
struct PackedStack {
  const std::int32_t* first_bias;    // [16 or 32]
  const std::int8_t* first_weight;   // [width / 4][16 or 32][4]
  const std::int32_t* second_bias;   // [32]
  const std::int8_t* second_weight;  // [8 or 16][32][4]
  const std::int8_t* third_weight;   // [32, with as many zeros behind them, or 128]
  std::int32_t third_bias;
};

// Pointers are aligned to 64 bytes, rows of weights too.
struct WidthKernels {
  int width;

  // to = from + rows added - rows removed, wrapping around. The same into `also_to`, unless null.
  // `to` may be `from`.
  void (*update)(const std::int16_t* from, const RowChanges& changes, std::int16_t* to,
                 std::int16_t* also_to);

  // Accumulators of both sides to `width` bytes: products of the clipped halves, the mover's first.
  // Lists the blocks of four bytes that are not all zero, in order, and returns how many they are;
  // places behind the last one are overwritten too.
  // [0]: clipped to 127, shifted by 7. [1]: clipped to 255, shifted by 9.
  std::uint32_t (*transform[2])(const std::int16_t* mover, const std::int16_t* other,
                                std::uint8_t* features, std::uint16_t* blocks);

  // Those bytes through the dense layers to the raw positional value. By StackShape.
  std::int32_t (*propagate[2])(const PackedStack& stack, const std::uint8_t* features,
                               const std::uint16_t* blocks, std::uint32_t block_count);
};

inline constexpr int kWidthCount = 6, kWidest = 3072;
inline constexpr int kWidths[kWidthCount] = {128, 256, 1024, 1536, 2560, 3072};
inline constexpr int kMostBlocks = kWidest / 4 + 16;  // with room to write past the last one

struct Kernels {
  std::string_view name;       // "scalar", "avx2", "avx2-vnni", "avx512", "avx512-vnni", "neon"
  const WidthKernels* widths;  // [kWidthCount], in the order of kWidths
};

const Kernels& scalar_kernels();  // the reference: always built, always tested

// Those this processor can run, best first; the last is scalar.
std::span<const Kernels* const> runnable_kernels();
inline const Kernels& best_kernels() { return *runnable_kernels().front(); }

// Null if no network has this width.
const WidthKernels* kernels_for(const Kernels& kernels, int width);

}  // namespace aleph::nnue
