// A network of ours as an ONNX model that any runtime can run.
//
// Inputs, for a batch of any size: "planes" [batch][64][planes], "tokens" [batch][tokens] of int64,
// "context" [batch][numbers]; only those that the network has. Outputs: one for each head, [batch]
// [numbers], called as the head in descriptions ("policy1858", "wdl"), with the same meaning.
// Int8 weights are written as the floats they stand for.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "nets/graph/graph.h"
#include "nets/weights/net_file.h"

namespace aleph::nets {

// The tensors must be those of the graph (check_tensors.h). Fails above 2 GiB, which is all that a
// protobuf may have.
Result<std::string> onnx_of(const Graph& graph, const Tensors& tensors, const std::string& name);

// Whole or not at all.
Status write_onnx(const std::filesystem::path& path, const NetFile& network);

}  // namespace aleph::nets
