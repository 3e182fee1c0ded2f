// What is needed of an ONNX file to take its weights out: initializers and the order of the nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace aleph::nets {

struct OnnxTensor {
  static constexpr std::uint64_t kFloat = 1;
  std::uint64_t type = 0;
  std::vector<std::uint64_t> shape;
  std::span<const std::byte> raw;  // empty if the numbers lie in another file
  struct External {
    std::string_view file;
    std::uint64_t offset = 0, length = 0;
  };
  std::optional<External> external;
};

struct OnnxNode {
  std::string_view kind;
  std::vector<std::string_view> inputs;
};

// All of it points into the file's bytes.
struct OnnxModel {
  std::map<std::string_view, OnnxTensor> initializers;
  std::vector<OnnxNode> nodes;
};

bool looks_like_onnx(std::span<const std::byte> file);
Result<OnnxModel> parse_onnx(std::span<const std::byte> file);

}  // namespace aleph::nets
