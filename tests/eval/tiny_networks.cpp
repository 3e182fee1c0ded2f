#include "eval/tiny_networks.h"

#include <doctest/doctest.h>

#include "base/rng.h"
#include "nets/graph/build.h"
#include "nets/weights/random_weights.h"

namespace aleph::test {

using nets::HeadKind;
using nets::InputKind;

nets::HeadSpec tiny_head(HeadKind kind) {
  nets::HeadSpec head;
  head.kind = kind;
  if (kind != HeadKind::FromTo && kind != HeadKind::Attention4096) head.channels = 4;
  return head;
}

nets::NetSpec tiny_spec(InputKind input, std::vector<nets::HeadSpec> heads) {
  nets::NetSpec spec;
  spec.name = "tiny";
  spec.input.kind = input;
  spec.heads = std::move(heads);
  if (input == InputKind::Tokens69 || input == InputKind::Tokens74 ||
      input == InputKind::Boards96) {
    nets::TransformerSpec trunk;
    trunk.width = 16;
    trunk.layers = 1;
    trunk.heads = 2;
    trunk.feed_forward = 16;
    if (input == InputKind::Boards96) trunk.embedding.rating_width = 8;
    if (input == InputKind::Boards96)
      trunk.embedding.positions = nets::EmbeddingSpec::Positions::None;
    spec.trunk = trunk;
  } else {
    nets::ResnetSpec trunk;
    trunk.channels = 16;
    trunk.blocks = 1;
    spec.trunk = trunk;
  }
  return spec;
}

nets::NetFile random_network(const nets::NetSpec& spec, std::uint64_t seed) {
  const auto graph = nets::build_graph(spec);
  REQUIRE_MESSAGE(graph.ok(), (graph.ok() ? "" : graph.error()));
  Rng rng(seed);
  return {spec, {}, nets::random_weights(graph.value(), rng)};
}

std::shared_ptr<const nets::Network> make_network(const nets::NetFile& file) {
  auto network = nets::Network::make(file);
  REQUIRE_MESSAGE(network.ok(), (network.ok() ? "" : network.error()));
  return std::make_shared<const nets::Network>(network.take());
}

}  // namespace aleph::test
