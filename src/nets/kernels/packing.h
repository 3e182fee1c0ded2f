// Weights in the order in which the kernels read them (kernels.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.h"
#include "nets/kernels/kernels.h"

namespace aleph::nets::kernels {

// `weights` is [columns][depth], row by row.
AlignedVector<float> pack_floats(std::span<const float> weights, std::size_t columns,
                                 std::size_t depth);

// The scale with which the weights of a column become bytes: none above 127, and no sum of four
// that are added in 16 bits above what those hold, whatever the inputs (kernels.h, ByteProduct).
float byte_scale(std::span<const float> column);

// A column that breaks the second rule is rounded once more, with a scale that keeps it.
struct PackedBytes {
  AlignedVector<std::int8_t> panels;
  AlignedVector<float> scales, sums;
};
PackedBytes pack_bytes(std::span<const std::int8_t> weights, std::span<const float> scales,
                       std::size_t columns, std::size_t depth);

struct PackedWords {
  AlignedVector<std::int16_t> panels;
  AlignedVector<float> scales;
  AlignedVector<std::int32_t> terms;
};
// As fine as sums of 32 bits allow if no input is above `most_input`.
PackedWords pack_words(std::span<const float> weights, std::size_t columns, std::size_t depth,
                       int most_input);
// What no number of this wave of winograd_words_in is above.
int most_of_wave(std::size_t wave);

// A convolution's weights [out][in][3][3] for each of the 36 waves: [36][out][in].
std::vector<float> winograd_weights(std::span<const float> weights, std::size_t out,
                                    std::size_t in);

// [columns, rounded up to panels], zeros behind; of an empty span: zeros.
AlignedVector<float> padded(std::span<const float> numbers, std::size_t columns);

}  // namespace aleph::nets::kernels
