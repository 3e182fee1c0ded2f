// Which neurons of the first layer lie next to each other.
//
// The dense layers skip blocks of four inputs that are all zero. Most inputs are, but in the order
// of training every second block has one that is not. Neurons that fire together, laid together,
// leave more blocks empty. The order changes no sum, and with that no evaluation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chess/position.h"
#include "nnue/network.h"

namespace aleph::nnue {

// For each new place of a pair of neurons, whose product is one input, its place in the file.
using NeuronOrder = std::vector<std::uint16_t>;

// Lays together what fires together in the sample.
NeuronOrder order_by_company(std::span<const std::vector<std::uint8_t>> features);
// The mean number of blocks that are not all zero, in this order.
double blocks_in_use(std::span<const std::vector<std::uint8_t>> features, const NeuronOrder& order);

// The network must be in the order of its file.
void reorder(Network& network, const NeuronOrder& order);

// Both, if it is worth it on these positions: networks since Stockfish 17 come well ordered.
void arrange_neurons(Network& network, std::span<const chess::Position> sample);

}  // namespace aleph::nnue
