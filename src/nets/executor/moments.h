// What a layer is given, over many positions: enough to tell which errors of its weights matter.
#pragma once

#include <cstddef>
#include <vector>

#include "nets/kernels/kernels.h"

namespace aleph::nets {

class Moments {
 public:
  explicit Moments(std::size_t width) : width_(width), sums_(width), products_(width * width) {}

  void add(const kernels::Kernels& kernels, const kernels::Rows& rows);
  void add(const Moments& other);

  std::size_t width() const { return width_; }
  std::size_t rows() const { return rows_; }
  bool is_finite() const;  // false if numbers were too large to be squared
  std::vector<double> means() const;
  // The mean of x_i x_j, or with `centred` their covariance: [width][width].
  std::vector<double> products(bool centred) const;
  // The mean square of what rounding to bytes, row by row, does to each number.
  double byte_noise() const { return noise_ / static_cast<double>(rows_); }

 private:
  std::size_t width_, rows_ = 0;
  double noise_ = 0;
  std::vector<double> sums_;
  std::vector<float> products_;
};

}  // namespace aleph::nets
