// Files that lie compressed by gzip, as Leela's do.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"

namespace aleph::nets {

bool looks_like_gzip(std::span<const std::byte> file);

// The whole content. Weights hardly shrink, so a small file that swells without end is an attack or
// a mistake: no more than 64 MiB and a hundred times the file are unpacked, and never above 2 GiB.
Result<std::vector<std::byte>> gunzip(std::span<const std::byte> file);

}  // namespace aleph::nets
