// Quantile networks with random weights, and random features for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/rng.h"
#include "nnue/forward.h"
#include "nnue/made_up_network.h"
#include "nnue/quantile/quantile_network.h"

namespace aleph::test {

// `weight` is the range of all weights: about 30 is what trained layers have, 127 the most. Biases
// have the range `bias`.
inline nnue::QuantileNetwork made_up_quantiles(int width, std::uint64_t seed, int weight = 40,
                                               int bias = 8'000) {
  nnue::QuantileNetwork network;
  network.width = width;
  network.base_sha256 = std::string(64, '0');
  network.card = R"({"made": "up"})";
  for (nnue::QuantileStack& stack : network.stacks) {
    stack.first_weight.resize(static_cast<std::size_t>(nnue::kQuantileFirst * width));
    fill_randomly(stack.first_weight, ++seed, weight);
    fill_randomly(stack.second_weight, ++seed, weight);
    fill_randomly(stack.third_weight, ++seed, weight);
    fill_randomly(stack.first_bias, ++seed, bias);
    fill_randomly(stack.second_bias, ++seed, bias);
    fill_randomly(stack.third_bias, ++seed, bias);
  }
  return network;
}

// Bytes from 0 to 127, about `used` in a hundred of them not zero, with the list of their blocks.
inline nnue::TransformedFeatures random_features(int width, int used, Rng& rng) {
  nnue::TransformedFeatures features;
  for (int i = 0; i < width; ++i) {
    const bool on = rng.below(100) < static_cast<std::uint64_t>(used);
    features.bytes[static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(on ? rng.below(128) : 0);
  }
  for (int block = 0; block < width / 4; ++block) {
    const std::uint8_t* const four = features.bytes.data() + 4 * block;
    if ((four[0] | four[1] | four[2] | four[3]) != 0)
      features.blocks[features.block_count++] = static_cast<std::uint16_t>(block);
  }
  return features;
}

}  // namespace aleph::test
