// A Stockfish network in memory: read once, never changed, shared by all threads.
// Everything is in the file's natural order, but for what arrange_neurons() may have done.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/memory.h"
#include "nnue/architecture.h"

namespace aleph::nnue {

// The dense layers of one bucket. Weights are output-major: weight[output][padded input], the input
// count padded to a multiple of 32. The padding columns are as in the file and mean nothing: they
// are mostly zero, but nn-1c0000000000 has other bytes there, so they must meet zero inputs.
struct DenseLayer {
  int inputs = 0, padded_inputs = 0, outputs = 0;
  AlignedVector<std::int32_t> bias;   // [outputs]
  AlignedVector<std::int8_t> weight;  // [outputs][padded_inputs]
};

struct LayerStack {
  DenseLayer first, second, third;
};

// Rows are feature-major: row f of a table begins at f * width (or f * kBuckets for psqt).
struct Network {
  Architecture architecture;
  std::string description;  // the free text in the file
  std::string sha256;       // of the whole file, 64 hex digits; the first 12 are its name
  std::uint64_t file_bytes = 0;

  LargeArray<std::int16_t> bias;          // [width]
  LargeArray<std::int16_t> piece_weight;  // [piece_inputs][width]
  LargeArray<std::int32_t> piece_psqt;    // [piece_inputs][8]
  LargeArray<std::int8_t> threat_weight;  // [threat_inputs][width]
  LargeArray<std::int32_t> threat_psqt;   // [threat_inputs][8]
  LargeArray<std::int8_t> pair_weight;    // [pair_inputs][width]
  LargeArray<std::int32_t> pair_psqt;     // [pair_inputs][8]
  std::array<LayerStack, kBuckets> stacks;
  // Where each pair of neurons was in the file; empty: where it is (neuron_order.h).
  std::vector<std::uint16_t> neuron_order;

  std::string file_name() const { return "nn-" + sha256.substr(0, 12) + ".nnue"; }
};

}  // namespace aleph::nnue
