// The network built into the program by "make EVALFILE=path", if there is one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace aleph::nnue {

struct EmbeddedNetwork {
  std::string_view name;             // "nn-ad9b42354671.nnue", from its content
  std::span<const std::byte> bytes;  // the whole file
};

std::optional<EmbeddedNetwork> embedded_network();

}  // namespace aleph::nnue
