// Writes Stockfish .nnue files: for trainers, and for the small networks that tests make up.
#pragma once

#include <cstddef>
#include <vector>

#include "nnue/network.h"

namespace aleph::nnue {

// The bytes of the file. read_network() gives the same network back; a published file that was read
// is written again byte for byte. All tables must have the sizes that network.architecture asks
// for.
std::vector<std::byte> write_network(const Network& network);

}  // namespace aleph::nnue
