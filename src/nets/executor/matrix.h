// Weights laid out for products, in the precision that suits them.
#pragma once

#include <span>

#include "nets/executor/weight_rows.h"
#include "nets/executor/weight_store.h"
#include "nets/kernels/kernels.h"
#include "nets/kernels/packing.h"

namespace aleph::nets {

class Matrix {
 public:
  // Bytes stay bytes if `whole`; otherwise all become floats. bias: empty, or for each column.
  // The store must outlive it.
  Matrix(const WeightRows& weights, std::span<const float> bias, bool whole, WeightStore& store);

  std::size_t columns() const { return columns_; }
  std::size_t depth() const { return depth_; }
  // Floats of scratch that a product of so many rows needs.
  std::size_t scratch(std::size_t rows) const;
  // out [rows][columns] = finish(in W^T + bias); the bias is ours, not that of `finish`.
  void multiply(const kernels::Kernels& kernels, const kernels::Rows& in, float* out,
                kernels::Finish finish, float* scratch) const;

 private:
  std::size_t columns_, depth_;
  std::span<const float> floats_;  // these, or
  std::span<const std::int8_t> bytes_;
  std::span<const float> scales_;  // of bytes, like
  std::span<const std::int32_t> sums_;
  std::span<const float> bias_;
};

}  // namespace aleph::nets
