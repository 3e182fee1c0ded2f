#include "nets/leela/leela_file.h"

#include <fmt/format.h>

#include <new>

#include "nets/graph/build.h"
#include "nets/leela/architecture.h"
#include "nets/leela/fill_tensors.h"
#include "nets/leela/messages.h"
#include "nets/weights/check_tensors.h"
#include "nets/weights/gzip.h"

namespace aleph::nets {
namespace {

NetCard card_of(const leela::Net& net) {
  NetCard card;
  card.license = net.license;
  card.source = "Leela Chess Zero";
  const leela::TrainingParams& training = net.training;
  if (training.training_steps != 0)
    card.training =
        fmt::format("{} steps, learning rate {}, policy loss {}, value loss {}, accuracy {} %",
                    training.training_steps, training.learning_rate, training.policy_loss,
                    training.mse_loss, training.accuracy);
  return card;
}

Result<NetFile> parse_plain(std::span<const std::byte> protobuf, const LeelaHeads& heads) {
  const Result<leela::Net> net = leela::parse_net(protobuf);
  if (!net.ok()) return Error{net.error()};
  const Result<leela::Architecture> architecture = leela::architecture_of(net.value(), heads);
  if (!architecture.ok()) return Error{architecture.error()};
  NetFile network;
  network.spec = architecture.value().spec;
  network.card = card_of(net.value());
  const Result<Graph> graph = build_graph(network.spec);
  if (!graph.ok()) return Error{graph.error()};
  Result<Tensors> tensors =
      leela::fill_tensors(net.value().weights, architecture.value(), graph.value());
  if (!tensors.ok()) return Error{tensors.error()};
  network.tensors = tensors.take();
  const Status checked = check_tensors(graph.value(), network.tensors);
  if (!checked.ok()) return Error{checked.error()};
  return network;
}

}  // namespace

bool looks_like_leela(std::span<const std::byte> file) {
  return looks_like_gzip(file) || leela::has_magic(file);
}

Result<NetFile> parse_leela(std::span<const std::byte> file, const LeelaHeads& heads) {
  try {
    if (!looks_like_gzip(file)) return parse_plain(file, heads);
    const Result<std::vector<std::byte>> content = gunzip(file);
    if (!content.ok()) return Error{content.error()};
    return parse_plain(content.value(), heads);
  } catch (const std::bad_alloc&) {
    return Error{"there is not enough memory for the network"};
  }
}

}  // namespace aleph::nets
