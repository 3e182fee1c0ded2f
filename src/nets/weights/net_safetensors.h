// Networks of ours as safetensors: the description and the card are metadata, an int8 tensor is an
// array I8 and its scales, "NAME.scale". docs/formats/safetensors.md has the keys.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "base/result.h"
#include "nets/weights/net_file.h"

namespace aleph::nets {

// Checked as read_network says.
Result<NetFile> parse_network(std::span<const std::byte> safetensors);
std::vector<std::byte> safetensors_of(const NetFile& network);

// Whole or not at all.
Status write_network(const std::filesystem::path& path, const NetFile& network);

}  // namespace aleph::nets
