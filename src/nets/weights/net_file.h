// A network with its numbers, however its file looked.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "nets/spec/net_spec.h"

namespace aleph::nets {

struct Tensor {
  std::vector<int> shape;
  std::vector<float> numbers;
  // In files for int8: number = its scale * byte. Each first index has a scale, or several for
  // equal runs of what is behind it. Then `numbers` is empty.
  std::vector<std::int8_t> bytes;
  std::vector<float> scales;

  bool is_int8() const { return !bytes.empty(); }
  // Of int8: are there as many bytes as wanted, and do the scales divide them?
  bool has_bytes(std::size_t wanted) const {
    const std::size_t rows = shape.empty() ? 1 : static_cast<std::size_t>(shape[0]);
    return bytes.size() == wanted && !scales.empty() && rows != 0 && scales.size() % rows == 0 &&
           bytes.size() % scales.size() == 0;
  }
  friend bool operator==(const Tensor&, const Tensor&) = default;
};
using Tensors = std::map<std::string, Tensor, std::less<>>;

// What people want to know of a network besides what it is. All of it may be empty.
struct NetCard {
  std::string made_by;   // program and version
  std::string training;  // how it was trained: the config, as text
  std::string data;      // of what it was trained on: names and hashes
  std::string quality;   // what was measured, as text
  std::string license, source;
  friend bool operator==(const NetCard&, const NetCard&) = default;
};

struct NetFile {
  NetSpec spec;
  NetCard card;
  Tensors tensors;  // by the names that the graph of `spec` gives them
};

// Looks at the bytes to see what the file is: safetensors of ours, Leela's .pb or .pb.gz, or
// Maia-3's .onnx. The tensors have been checked against the description: all there, in their shape,
// every number finite. A network that does not know its name is called as its file.
Result<NetFile> read_network(const std::filesystem::path& file);

// By the first bytes of the file. False for what cannot be read, too.
bool is_dense_network(const std::filesystem::path& file);

// How files with dense networks end.
inline constexpr std::array<std::string_view, 4> kNetworkEndings{".safetensors", ".pb.gz", ".pb",
                                                                 ".onnx"};
// Without the folder and the ending: "maia-1500" of "nets/maia-1500.pb.gz".
std::string network_name(const std::filesystem::path& file);

}  // namespace aleph::nets
