// Small networks made up for tests: real files in every respect but their width, so that reading
// thousands of them takes no time.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "base/rng.h"
#include "nnue/architecture_hash.h"
#include "nnue/layout.h"
#include "nnue/network.h"
#include "nnue/weights_writer.h"

namespace aleph::test {

using nnue::Architecture;
using nnue::FeatureFamily;
using nnue::Network;
using nnue::StackKind;
using nnue::ThreatKind;

// As Stockfish 16 and 19 lite, 15.1 and 15, but 32 wide. The last two have the same hashes.
inline constexpr Architecture kTinyPacked = nnue::with_hashes({.name = "tiny packed",
                                                               .engine = "nobody",
                                                               .width = 32,
                                                               .family = FeatureFamily::PieceHm,
                                                               .stack = StackKind::V16});
inline constexpr Architecture kTinyRaw = nnue::with_hashes({.name = "tiny raw",
                                                            .engine = "nobody",
                                                            .width = 32,
                                                            .family = FeatureFamily::PieceHm,
                                                            .compressed = false});
inline constexpr Architecture kTinyRawV4 = nnue::with_hashes({.name = "tiny raw v4",
                                                              .engine = "nobody",
                                                              .width = 32,
                                                              .family = FeatureFamily::PieceHm,
                                                              .stack = StackKind::V4,
                                                              .compressed = false});
inline constexpr std::array kTinyArchitectures{kTinyPacked, kTinyRaw, kTinyRawV4};

// As Stockfish 18 and 19, but 32 wide: a few megabytes.
inline constexpr Architecture kSmall18 = nnue::with_hashes({.name = "small 18",
                                                            .engine = "nobody",
                                                            .width = 32,
                                                            .family = FeatureFamily::HalfKAv2Hm,
                                                            .threats = ThreatKind::Full18});
inline constexpr Architecture kSmall19 = nnue::with_hashes({.name = "small 19",
                                                            .engine = "nobody",
                                                            .width = 32,
                                                            .family = FeatureFamily::HalfKAv2Hm,
                                                            .threats = ThreatKind::Full19,
                                                            .pawn_pairs = true,
                                                            .stack = StackKind::V16});
inline constexpr std::array kSmallArchitectures{kSmall18, kSmall19};

// Mostly small numbers, some up to the limits, as in trained networks. sparse: nearly all zero.
template <class Values>
void fill_with_noise(Values& values, std::int64_t limit, bool sparse, Rng& rng) {
  using Value = std::remove_reference_t<decltype(values[0])>;
  for (auto& value : values) {
    const std::uint64_t kind = rng.below(sparse ? 1000 : 16);
    const std::int64_t bound = kind == 0   ? limit
                               : kind == 1 ? std::min<std::int64_t>(limit, 500)
                                           : (sparse ? 0 : 60);
    const auto drawn = rng.below(2 * static_cast<std::uint64_t>(bound) + 1);
    value = static_cast<Value>(static_cast<std::int64_t>(drawn) - bound);
  }
}

inline nnue::DenseLayer synthetic_layer(const nnue::DenseShape& shape, bool sparse, Rng& rng) {
  nnue::DenseLayer layer;
  layer.inputs = shape.inputs;
  layer.padded_inputs = shape.padded_inputs;
  layer.outputs = shape.outputs;
  layer.bias.resize(static_cast<std::size_t>(shape.outputs));
  layer.weight.resize(shape.weights());
  fill_with_noise(layer.bias, 100'000, sparse, rng);
  fill_with_noise(layer.weight, 127, sparse, rng);
  for (int output = 0; output < shape.outputs; ++output)
    for (int column = shape.inputs; column < shape.padded_inputs; ++column)
      layer.weight[static_cast<std::size_t>(output * shape.padded_inputs + column)] = 0;
  return layer;
}

inline Network synthetic_network(const Architecture& a, std::uint64_t seed, bool sparse = false) {
  using nnue::Table;
  Rng rng(seed);
  Network network;
  network.architecture = a;
  network.description = "made up for tests";
  const auto make = [&](auto& values, Table table, std::int64_t limit) {
    values = std::remove_reference_t<decltype(values)>(nnue::values_in(a, table));
    fill_with_noise(values, limit, sparse, rng);
  };
  make(network.bias, Table::Bias, 32'767);
  make(network.piece_weight, Table::PieceWeight, 32'767);
  make(network.piece_psqt, Table::PiecePsqt, 2'147'483'647);
  make(network.threat_weight, Table::ThreatWeight, 127);
  make(network.threat_psqt, Table::ThreatPsqt, 100'000);
  make(network.pair_weight, Table::PairWeight, 127);
  make(network.pair_psqt, Table::PairPsqt, 100'000);
  const auto shapes = nnue::dense_shapes(a);
  for (nnue::LayerStack& stack : network.stacks) {
    stack.first = synthetic_layer(shapes[0], sparse, rng);
    stack.second = synthetic_layer(shapes[1], sparse, rng);
    stack.third = synthetic_layer(shapes[2], sparse, rng);
  }
  return network;
}

inline std::vector<std::byte> synthetic_file(const Architecture& a, std::uint64_t seed,
                                             bool sparse = false) {
  return nnue::write_network(synthetic_network(a, seed, sparse));
}

}  // namespace aleph::test
