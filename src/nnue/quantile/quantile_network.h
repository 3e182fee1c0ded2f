// The layers of a quantile network in memory: read once, never changed, shared by all threads.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/memory.h"
#include "nnue/architecture.h"

namespace aleph::nnue {

// The dense layers of one bucket, output-major, in the order of the base file's features.
struct QuantileStack {
  AlignedVector<std::int8_t> first_weight;  // [16][width]
  std::array<std::int32_t, 16> first_bias{};
  std::array<std::int8_t, 32 * 32> second_weight{};  // [32][32]
  std::array<std::int32_t, 32> second_bias{};
  std::array<std::int8_t, 5 * 32> third_weight{};  // [5][32]
  std::array<std::int32_t, 5> third_bias{};
};

struct QuantileNetwork {
  int width = 0;
  std::string base_sha256;  // 64 hex digits of the .nnue
  std::string card;         // JSON
  std::array<QuantileStack, kBuckets> stacks;
  std::string sha256;  // of the whole file
};

}  // namespace aleph::nnue
