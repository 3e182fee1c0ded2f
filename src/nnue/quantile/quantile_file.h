// Reads and writes .qnnue files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "base/result.h"
#include "nnue/quantile/quantile_network.h"

namespace aleph::nnue {

Result<QuantileNetwork> read_quantile_network(std::span<const std::byte> file);
Result<QuantileNetwork> load_quantile_network(const std::filesystem::path& path);
std::vector<std::byte> write_quantile_network(const QuantileNetwork& network);

}  // namespace aleph::nnue
