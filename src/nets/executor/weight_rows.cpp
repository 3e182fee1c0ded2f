#include "nets/executor/weight_rows.h"

namespace aleph::nets {

WeightRows::WeightRows(const Tensor& tensor)
    : columns(static_cast<std::size_t>(tensor.shape.at(0))),
      numbers(tensor.numbers),
      bytes(tensor.bytes),
      scales(tensor.scales) {
  depth = (is_int8() ? bytes.size() : numbers.size()) / columns;
}

void WeightRows::multiply_rows(std::span<const float> factors) {
  const std::size_t runs = scales.size() / columns;
  for (std::size_t i = 0; i < scales.size(); ++i) scales[i] *= factors[i / runs];
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] *= factors[i / depth];
}

std::vector<float> WeightRows::as_floats() const {
  if (!is_int8()) return numbers;
  std::vector<float> floats(bytes.size());
  const std::size_t run = bytes.size() / scales.size();
  for (std::size_t i = 0; i < floats.size(); ++i) floats[i] = scales[i / run] * bytes[i];
  return floats;
}

}  // namespace aleph::nets
