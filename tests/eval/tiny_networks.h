// Small networks with made-up weights, for tests of what stands before networks.
#pragma once

#include <memory>
#include <vector>

#include "nets/executor/network.h"
#include "nets/weights/net_file.h"

namespace aleph::test {

// A residual network of a few channels, or a transformer where the input has tokens.
nets::NetSpec tiny_spec(nets::InputKind input, std::vector<nets::HeadSpec> heads);
nets::HeadSpec tiny_head(nets::HeadKind kind);

// The same seed makes the same weights.
nets::NetFile random_network(const nets::NetSpec& spec, std::uint64_t seed);
std::shared_ptr<const nets::Network> make_network(const nets::NetFile& file);

}  // namespace aleph::test
