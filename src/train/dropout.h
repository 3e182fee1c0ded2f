// Which numbers are left out while a network learns, and where in it.
//
// Seed 002 leaves out, in a transformer: numbers of the embedding, shares of attention, hidden
// numbers of feed-forward layers, and what is added to a residual; in a resnet: whole channels of
// what is added to a residual. Steps of a graph do not say so themselves: their kinds do. Heads
// have none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nets/graph/graph.h"
#include "nets/spec/net_spec.h"

namespace aleph::train {

struct DropoutPlan {
  double share = 0;             // that is left out; 0: none
  bool whole_channels = false;  // a number stands for its column in all rows
  std::vector<bool> steps;      // where: what Embed, Gate and Linear make, the shares of Attention,
                                // `b` of Add, `in` of SqueezeExcite
};
DropoutPlan dropout_plan(const nets::NetSpec& spec, const nets::Graph& graph);

// 0 for numbers that are left out, 1 / (1 - share) for the others. The same key gives the same.
void fill_dropout(std::span<float> factors, double share, std::uint64_t key);

// Keys of different steps, parts of a batch and places in the network have nothing to do with each
// other.
std::uint64_t mixed_key(std::uint64_t key, std::uint64_t with);

}  // namespace aleph::train
