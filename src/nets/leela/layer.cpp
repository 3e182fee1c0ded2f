#include <bit>

#include "base/little_endian.h"
#include "nets/leela/messages.h"
#include "nets/weights/float_formats.h"

namespace aleph::nets::leela {
namespace {

float number_of(const Layer& layer, const std::byte* bytes) {
  if (layer.encoding == Encoding::Float32)
    return std::bit_cast<float>(load_little_endian<std::uint32_t>(bytes));
  const auto bits = load_little_endian<std::uint16_t>(bytes);
  if (layer.encoding == Encoding::Float16) return float_of_half(bits);
  if (layer.encoding == Encoding::Bfloat16) return float_of_bfloat16(bits);
  const float part = static_cast<float>(bits) / 65535.0F;
  return layer.min_val * (1 - part) + layer.max_val * part;
}

}  // namespace

std::vector<float> decoded(const Layer& layer) {
  std::vector<float> numbers(layer.size());
  const std::size_t bytes = layer.encoding == Encoding::Float32 ? 4 : 2;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = number_of(layer, layer.params.data() + i * bytes);
  return numbers;
}

}  // namespace aleph::nets::leela
