// A network of any architecture with random weights: for architectures whose real networks are not
// at hand, and for values that no trainer would produce.
#pragma once

#include <cstdint>
#include <memory>

#include "base/rng.h"
#include "nnue/network.h"

namespace aleph::test {

// Values from -range to range.
template <class T>
void fill_randomly(T& values, std::uint64_t seed, int range) {
  Rng rng(seed);
  const auto span = static_cast<std::uint32_t>(2 * range + 1);
  std::uint64_t bits = 0;
  int left = 0;
  for (auto& value : values) {
    if (left == 0) bits = rng.next(), left = 4;
    const auto draw = static_cast<std::uint32_t>(bits & 0xFFFF);
    value = static_cast<std::remove_reference_t<decltype(value)>>(
        static_cast<int>(draw * span >> 16) - range);
    bits >>= 16;
    --left;
  }
}

inline nnue::DenseLayer made_up_layer(int inputs, int outputs, std::uint64_t seed, int bias) {
  nnue::DenseLayer layer;
  layer.inputs = inputs;
  layer.padded_inputs = (inputs + 31) / 32 * 32;
  layer.outputs = outputs;
  layer.bias.resize(static_cast<std::size_t>(outputs));
  layer.weight.resize(static_cast<std::size_t>(outputs * layer.padded_inputs));
  fill_randomly(layer.bias, seed, bias);
  fill_randomly(layer.weight, seed + 1, 127);
  for (int k = 0; k < outputs; ++k)
    for (int i = inputs; i < layer.padded_inputs; ++i)
      layer.weight[k * layer.padded_inputs + i] = 0;
  return layer;
}

// `weight` is the range of the first layer's weights: 20 is about what trained networks have.
inline std::shared_ptr<const nnue::Network> made_up_network(const nnue::Architecture& architecture,
                                                            std::uint64_t seed, int weight) {
  auto network = std::make_shared<nnue::Network>();
  const auto count = [](int inputs, int columns) {
    return static_cast<std::size_t>(inputs) * static_cast<std::size_t>(columns);
  };
  const nnue::Architecture& a = architecture;
  network->architecture = a;
  network->sha256 = std::string(64, '0');
  network->bias = LargeArray<std::int16_t>(count(a.width, 1));
  network->piece_weight = LargeArray<std::int16_t>(count(a.piece_inputs(), a.width));
  network->piece_psqt = LargeArray<std::int32_t>(count(a.piece_inputs(), nnue::kBuckets));
  network->threat_weight = LargeArray<std::int8_t>(count(a.threat_inputs(), a.width));
  network->threat_psqt = LargeArray<std::int32_t>(count(a.threat_inputs(), nnue::kBuckets));
  network->pair_weight = LargeArray<std::int8_t>(count(a.pair_inputs(), a.width));
  network->pair_psqt = LargeArray<std::int32_t>(count(a.pair_inputs(), nnue::kBuckets));
  fill_randomly(network->bias, seed, weight);
  fill_randomly(network->piece_weight, seed + 1, weight);
  fill_randomly(network->piece_psqt, seed + 2, 30'000);
  fill_randomly(network->threat_weight, seed + 3, weight < 127 ? weight : 127);
  fill_randomly(network->threat_psqt, seed + 4, 30'000);
  fill_randomly(network->pair_weight, seed + 5, weight < 127 ? weight : 127);
  fill_randomly(network->pair_psqt, seed + 6, 30'000);
  for (std::uint64_t b = 0; b < nnue::kBuckets; ++b)
    network->stacks[b] = {
        made_up_layer(a.width, a.first_outputs(), seed + 10 * b + 7, 30'000),
        made_up_layer(a.second_inputs(), a.second_outputs(), seed + 10 * b + 9, 3'000),
        made_up_layer(a.third_inputs(), 1, seed + 10 * b + 11, 30'000)};
  return network;
}

}  // namespace aleph::test
