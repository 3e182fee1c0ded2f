// Compares a kernel set with the scalar one, on random data and on samples of real networks.
// Uses nothing but the kernels, so that it also compiles for a processor that is only emulated.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "base/memory.h"
#include "nnue/simd/kernels.h"

namespace aleph::test {

// One sentence per difference; empty if the sets agree.
std::vector<std::string> random_differences(const nnue::Kernels& tested, std::uint64_t seed);

// One layer stack of a network, accumulators of some positions, and what the scalar kernels make of
// them. Can be written to a stream and read back by a program on another processor.
struct KernelSample {
  std::int32_t width = 0, clip_kind = 0, shape = 0, third_bias = 0;
  AlignedVector<std::int32_t> first_bias, second_bias;
  AlignedVector<std::int8_t> first_weight, second_weight, third_weight;
  // Per position: accumulator of the mover, of the other side.
  std::vector<AlignedVector<std::int16_t>> mover, other;
  std::vector<std::int32_t> expected;

  nnue::PackedStack stack() const {
    return {first_bias.data(),    first_weight.data(), second_bias.data(),
            second_weight.data(), third_weight.data(), third_bias};
  }
};
void write_sample(const KernelSample& sample, std::ostream& out);
KernelSample read_sample(std::istream& in);

std::vector<std::string> sample_differences(const nnue::Kernels& tested,
                                            const KernelSample& sample);

}  // namespace aleph::test
