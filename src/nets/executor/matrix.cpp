#include "nets/executor/matrix.h"

namespace aleph::nets {
namespace {

using kernels::in_groups;
using kernels::Rounding;

}  // namespace

Matrix::Matrix(const WeightRows& weights, std::span<const float> bias, bool whole,
               WeightStore& store)
    : columns_(weights.columns), depth_(weights.depth) {
  if (whole && weights.is_int8()) {
    const kernels::PackedBytes packed =
        kernels::pack_bytes(weights.bytes, weights.scales, columns_, depth_);
    bytes_ = store.keep(packed.panels);
    scales_ = store.keep(packed.scales);
    sums_ = store.keep(packed.sums);
  } else {
    floats_ = store.keep(kernels::pack_floats(weights.as_floats(), columns_, depth_));
  }
  bias_ = store.keep(kernels::padded(bias, columns_));
}

std::size_t Matrix::scratch(std::size_t rows) const {
  if (bytes_.empty()) return 0;
  return rows * (sizeof(Rounding) + in_groups(depth_)) / sizeof(float) + 1;
}

void Matrix::multiply(const kernels::Kernels& kernels, const kernels::Rows& in, float* out,
                      kernels::Finish finish, float* scratch) const {
  finish.bias = bias_.data();
  const kernels::Target target{out, columns_, in.rows, columns_};
  if (bytes_.empty()) {
    kernels.product({in.in, in.stride, depth_, floats_.data(), target, finish});
    return;
  }
  void* const room = scratch;
  auto* const roundings = static_cast<Rounding*>(room);
  void* const behind = roundings + in.rows;
  auto* const whole = static_cast<std::uint8_t*>(behind);
  kernels.round_to_bytes(in, in_groups(depth_), whole, roundings);
  kernels.byte_product({whole, roundings, in_groups(depth_), bytes_.data(), scales_.data(),
                        sums_.data(), target, finish});
}

}  // namespace aleph::nets
