// The network built into the program: that of "make EVALFILE=path", or else Aleph's own small one,
// so that the program plays anywhere. "make EVALFILE=none" leaves it out.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace aleph::nnue {

struct EmbeddedNetwork {
  std::string_view name;             // "nn-ad9b42354671.nnue", from its content
  std::span<const std::byte> bytes;  // the whole file
  bool asked_for = true;             // by EVALFILE: then it goes before others
};

std::optional<EmbeddedNetwork> embedded_network();

}  // namespace aleph::nnue
