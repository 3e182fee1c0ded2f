// Maia-3's networks, which come as ONNX: their weights, given our names. The graph in the file is
// not run; it only tells which nameless tensor is which, by the order of its products.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "base/result.h"
#include "nets/onnx/onnx_model.h"
#include "nets/weights/net_file.h"

namespace aleph::nets {

// Checked as read_network says. Weights that the file keeps outside are looked for in `folder`.
Result<NetFile> parse_maia3(std::span<const std::byte> onnx, const std::filesystem::path& folder);

}  // namespace aleph::nets
