// Maia-3's networks, which come as ONNX: their weights, given our names. The graph in the file is
// not run; it only tells which nameless tensor is which, by the order of its products.
//
// The head "fc_ponder" is left out. It was trained on "clock_ponder / 100", and nothing says what
// that is; as hundreds of seconds it would be 38 to 42 s at the start of a game, and 16 to 35 s
// where there is a mate in one.
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
