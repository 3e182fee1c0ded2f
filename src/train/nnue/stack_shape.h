// Where the parameters of one layer stack (SFNNv5: width -> 16 -> 32 -> 1) lie in a flat array of
// floats. Weights, gradients and moments all have this order, so that one loop serves them all.
//
// The second layer has 32 places for its 30 inputs, as the engine packs them: squares of the first
// 15 outputs, an empty place, the same outputs clipped, an empty place.
#pragma once

#include <cstddef>

namespace aleph::train {

inline constexpr std::size_t kFirstOutputs = 16, kSecondInputs = 32, kSecondOutputs = 32;
inline constexpr std::size_t kSkipOutput = 15;  // of the first layer: goes straight to the end

struct StackShape {
  std::size_t width = 0;

  constexpr std::size_t first_weight() const { return 0; }  // [16][width]
  constexpr std::size_t first_bias() const { return kFirstOutputs * width; }
  constexpr std::size_t second_weight() const { return first_bias() + kFirstOutputs; }  // [32][32]
  constexpr std::size_t second_bias() const {
    return second_weight() + kSecondOutputs * kSecondInputs;
  }
  constexpr std::size_t third_weight() const { return second_bias() + kSecondOutputs; }
  constexpr std::size_t third_bias() const { return third_weight() + kSecondOutputs; }
  constexpr std::size_t size() const { return third_bias() + 8; }  // whole vectors: seven are idle
};

}  // namespace aleph::train
