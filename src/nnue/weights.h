// Reads Stockfish .nnue files, of every architecture in the table.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/result.h"
#include "nnue/network.h"

namespace aleph::nnue {

// The whole file and nothing but the file: checks the version, every hash, every size, every packed
// value, and that it ends where it should. Refuses with one sentence that says what is wrong.
// Memory is at most five times the file, and none of it is taken before the sizes are known to
// hold.
Result<Network> read_network(std::span<const std::byte> file,
                             std::span<const Architecture> accepted = known_architectures());

// The same from disk; the sentence names the file. A file called nn-<12 hex digits>.nnue must have
// the content its name promises: that is how a flipped bit in the weights is found.
Result<Network> load_network(const std::filesystem::path& path,
                             std::span<const Architecture> accepted = known_architectures());

// "nn-ad9b42354671.nnue" promises a SHA-256 that begins with "ad9b42354671". Empty for other names.
std::string_view promised_hash(std::string_view file_name);

}  // namespace aleph::nnue
