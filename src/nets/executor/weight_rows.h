// The weights of a layer as rows, one for each output: floats, or bytes with scales (net_file.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nets/weights/net_file.h"

namespace aleph::nets {

struct WeightRows {
  std::size_t columns = 0, depth = 0;  // outputs, and weights of each
  std::vector<float> numbers;          // [columns][depth], or
  std::vector<std::int8_t> bytes;      // the same with
  std::vector<float> scales;           // [columns][runs of a row]

  explicit WeightRows(const Tensor& tensor);
  bool is_int8() const { return !bytes.empty(); }
  bool has_one_scale() const { return scales.size() == columns; }  // for each row
  void multiply_rows(std::span<const float> factors);
  std::vector<float> as_floats() const;
};

}  // namespace aleph::nets
