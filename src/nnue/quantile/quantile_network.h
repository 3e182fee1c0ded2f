// The layers of a quantile network: on top of a Stockfish network whose feature transformer stays
// as it is, small layers that answer how sure its evaluation is. Read once, never changed, shared.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/memory.h"
#include "nnue/architecture.h"

namespace aleph::nnue {

inline constexpr int kQuantiles = 5;                             // 10, 25, 50, 75 and 90 per cent
inline constexpr int kQuantileFirst = 16, kQuantileSecond = 32;  // outputs of the first two layers
inline constexpr int kQuantileWeightScale = 64;  // what a weight of 1.0 is stored as
inline constexpr int kQuantileOne = 64 * 127;    // a sum of 1.0; one logit
inline constexpr int kQuantileScale = 410;       // internal units to a logit

// The layers of one bucket. Weights are output-major: weight[output][input].
struct QuantileStack {
  AlignedVector<std::int8_t> first_weight;  // [16][width]
  std::array<std::int32_t, kQuantileFirst> first_bias{};
  std::array<std::int8_t, kQuantileSecond * 2 * kQuantileFirst> second_weight{};  // [32][32]
  std::array<std::int32_t, kQuantileSecond> second_bias{};
  std::array<std::int8_t, kQuantiles * kQuantileSecond> third_weight{};  // [5][32]
  std::array<std::int32_t, kQuantiles> third_bias{};

  friend bool operator==(const QuantileStack&, const QuantileStack&) = default;
};

// First-layer weights are in the order of the base network's file, whatever order the base has in
// memory (neuron_order.h).
struct QuantileNetwork {
  int width = 0;            // of the base: bytes that its feature transformer gives
  std::string base_sha256;  // of the .nnue file it sits on, 64 hex digits
  std::string card;         // JSON: how it was made, and how good it was found to be
  std::array<QuantileStack, kBuckets> stacks;
  std::string sha256;  // of the whole file, 64 hex digits; the first 12 are its name

  std::string file_name() const { return "qn-" + sha256.substr(0, 12) + ".qnnue"; }
  std::string base_name() const { return "nn-" + base_sha256.substr(0, 12) + ".nnue"; }
};

}  // namespace aleph::nnue
