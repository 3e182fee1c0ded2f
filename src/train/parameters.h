// The numbers of a network in one flat array: what the optimiser, the average of weights, the sum
// over processes and checkpoints work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.h"
#include "base/result.h"
#include "nets/graph/graph.h"
#include "nets/weights/net_file.h"

namespace aleph::train {

using Flat = AlignedVector<float>;

// Where each tensor lies: first those that are learned, then the buffers (means and variances of
// batch norms). Every tensor begins on a cache line; what is between them is always 0.
struct FlatLayout {
  struct Place {
    std::size_t begin = 0, size = 0;
  };
  std::vector<Place> places;  // of graph.tensors
  std::size_t learned = 0;    // the buffers begin here
  std::size_t size = 0;

  explicit FlatLayout(const nets::Graph& graph);
};

// What a tensor is for: decides how it begins and whether it decays.
enum class TensorRole : std::uint8_t {
  Matrix,       // of linear layers
  Convolution,  // also the layers for each square in front of a batch norm: 1x1 convolutions
  Words,        // a table of words
  Positions,    // a table of positions
  Gain,         // factors that begin as 1; variances
  Bias,         // terms that begin as 0; means
};
std::vector<TensorRole> tensor_roles(const nets::Graph& graph);

// As the seeds say. Convolutions: N(0, 2 / (out * size * size)), He with the outgoing fan.
// Matrices: uniform within sqrt(6 / (in + out)), Xavier. Tables: N(0, 1 / width). The same for the
// same seed.
Flat initial_weights(const nets::Graph& graph, const FlatLayout& layout, std::uint64_t seed);

// The parts that weight decay applies to: matrices, convolutions and words.
std::vector<FlatLayout::Place> decaying_places(const nets::Graph& graph, const FlatLayout& layout);

// Tensors must fit the graph (nets::check_tensors); int8 becomes what it stands for.
Flat flat_of(const nets::Graph& graph, const FlatLayout& layout, const nets::Tensors& tensors);
nets::Tensors tensors_of(const nets::Graph& graph, const FlatLayout& layout,
                         std::span<const float> flat);

}  // namespace aleph::train
