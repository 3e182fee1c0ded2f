// Files too large for their host, cut into NAME-part-0.EXT, NAME-part-1.EXT, ... and to be read as
// one, in the order of their numbers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/result.h"

namespace aleph::nnue {

// 3 for "stockfish-part-3.wasm"; nothing for names of another shape.
std::optional<int> part_number(const std::filesystem::path& path);

struct PartFiles {
  std::filesystem::path whole;               // "stockfish.wasm", which need not exist
  std::vector<std::filesystem::path> parts;  // in order, from 0 or 1 on without a gap
};

// The file that one belongs to. Fails when a part before it is missing.
Result<PartFiles> all_parts(const std::filesystem::path& one);

// All of them together, at most 1 GiB.
Result<std::vector<std::byte>> join_parts(const PartFiles& files);

}  // namespace aleph::nnue
