// What a network says, before any engine's formula: raw integers, side to move's view. 9600 raw
// units are the trainer's 1.0, and 16 of them one internal unit of the engine.
#pragma once

#include <array>
#include <cstdint>

#include "nnue/architecture.h"

namespace aleph::nnue {

struct RawOutput {
  std::int32_t psqt = 0;        // sum over piece-square values: mostly material
  std::int32_t positional = 0;  // what the dense layers add
  friend bool operator==(const RawOutput&, const RawOutput&) = default;
};

using AllBuckets = std::array<RawOutput, kBuckets>;

// The layer stack (and psqt column) for a board with this many pieces, kings and pawns included.
constexpr int bucket_for(int pieces) { return (pieces - 1) / 4; }

// From the numbers of the third layer to the raw positional value. The skip outputs of the first
// layer bypass the rest: output 15 (older stacks), or the difference of outputs 30 and 31 (V16).
constexpr std::int32_t positional_v5(std::int32_t third, std::int32_t skip) {
  return third + static_cast<std::int32_t>(std::int64_t{skip} * 9600 / 8128);
}
constexpr std::int32_t positional_v16(std::int32_t third, std::int32_t plus, std::int32_t minus) {
  return static_cast<std::int32_t>((std::int64_t{third} + plus - minus) * 9600 / 16384);
}

}  // namespace aleph::nnue
