// The container: named arrays of numbers behind a JSON header. docs/formats/safetensors.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace aleph::nets {

enum class NumberType : std::uint8_t { F32, F16, Bf16, I8 };
std::size_t bytes_of(NumberType type);
std::string_view name_of(NumberType type);

// The bytes belong to the file, or to whoever wants them written.
struct StoredTensor {
  std::string name;
  NumberType type = NumberType::F32;
  std::vector<int> shape;
  std::span<const std::byte> bytes;
  std::size_t numbers() const { return bytes.size() / bytes_of(type); }
};

struct Safetensors {
  std::map<std::string, std::string, std::less<>> metadata;
  std::vector<StoredTensor> tensors;  // read: in the order of their bytes
};

bool looks_like_safetensors(std::span<const std::byte> file);

// Nothing of the header is believed: every array must lie in the file, as long as its shape and
// type say, with neither gap nor overlap between them.
Result<Safetensors> parse_safetensors(std::span<const std::byte> file);

// Names must differ, and bytes fit the shapes. Arrays start at multiples of eight bytes, if those
// with the longest numbers come first.
std::vector<std::byte> write_safetensors(const Safetensors& content);

}  // namespace aleph::nets
