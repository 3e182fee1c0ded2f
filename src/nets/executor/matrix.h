// Weights laid out for products, in the precision that suits them.
#pragma once

#include <span>

#include "nets/executor/weight_rows.h"
#include "nets/executor/weight_store.h"
#include "nets/graph/graph.h"
#include "nets/kernels/kernels.h"
#include "nets/kernels/packing.h"

namespace aleph::nets {

class Matrix {
 public:
  // What is multiplied. Words for inputs that bytes are too coarse for: slower than bytes.
  enum class Form { Floats, Bytes, Words };

  // Weights that are floats stay floats; those with several scales in a row become words. bias:
  // empty, or for each column. The store must outlive it.
  Matrix(const WeightRows& weights, std::span<const float> bias, Form form, WeightStore& store);

  std::size_t columns() const { return columns_; }
  std::size_t depth() const { return depth_; }
  Form form() const { return form_; }
  // Inputs as this form wants them; the same for all matrices of a form and depth. `room` has as
  // many floats as room_for says: none for Floats.
  std::size_t room_for(std::size_t rows) const;
  void round(const kernels::Kernels& kernels, const kernels::Rows& in, float* room) const;
  // out [rows][columns] = finish(in W^T + bias), `room` holds the inputs rounded; the bias is ours,
  // not that of `finish`.
  void multiply(const kernels::Kernels& kernels, const kernels::Rows& in, const float* room,
                float* out, kernels::Finish finish) const;

 private:
  std::size_t columns_, depth_;
  Form form_;
  std::span<const float> floats_;  // one of these three
  std::span<const std::int8_t> bytes_;
  std::span<const std::int16_t> words_;
  std::span<const float> scales_;        // of bytes and words
  std::span<const float> sums_;          // of bytes
  std::span<const std::int32_t> terms_;  // of words
  std::span<const float> bias_;
};

}  // namespace aleph::nets
