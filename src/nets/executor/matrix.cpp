#include "nets/executor/matrix.h"

namespace aleph::nets {
namespace {

using kernels::in_groups;
using kernels::Rounding;

}  // namespace

Matrix::Matrix(const WeightRows& weights, std::span<const float> bias, Form form,
               WeightStore& store)
    : columns_(weights.columns),
      depth_(weights.depth),
      form_(weights.is_int8() ? form : Form::Floats) {
  if (form_ == Form::Bytes && !weights.has_one_scale()) form_ = Form::Words;
  if (form_ == Form::Bytes) {
    const kernels::PackedBytes packed =
        kernels::pack_bytes(weights.bytes, weights.scales, columns_, depth_);
    bytes_ = store.keep(packed.panels);
    scales_ = store.keep(packed.scales);
    sums_ = store.keep(packed.sums);
  } else if (form_ == Form::Words) {
    const kernels::PackedWords packed =
        kernels::pack_words(weights.as_floats(), columns_, depth_, kernels::kMostWord);
    words_ = store.keep(packed.panels);
    scales_ = store.keep(packed.scales);
    terms_ = store.keep(packed.terms);
  } else {
    floats_ = store.keep(kernels::pack_floats(weights.as_floats(), columns_, depth_));
  }
  bias_ = store.keep(kernels::padded(bias, columns_));
}

std::size_t Matrix::room_for(std::size_t rows) const {
  const std::size_t depth = in_groups(depth_);
  switch (form_) {
    case Form::Floats: return 0;
    case Form::Bytes: return rows * (sizeof(Rounding) + depth) / sizeof(float) + 1;
    case Form::Words: return rows * (2 + depth / 2);  // scales, terms, words
  }
  return 0;
}

void Matrix::round(const kernels::Kernels& kernels, const kernels::Rows& in, float* room) const {
  void* const start = room;
  if (form_ == Form::Bytes) {
    auto* const roundings = static_cast<Rounding*>(start);
    void* const behind = roundings + in.rows;
    kernels.round_to_bytes(in, in_groups(depth_), static_cast<std::uint8_t*>(behind), roundings);
  } else if (form_ == Form::Words) {
    void *const terms = room + in.rows, *const words = room + 2 * in.rows;
    kernels.round_to_words(in, in_groups(depth_), static_cast<std::int16_t*>(words), room);
    kernels.terms_of_words(static_cast<std::int16_t*>(words), in.rows, in_groups(depth_),
                           static_cast<std::int32_t*>(terms));
  }
}

void Matrix::multiply(const kernels::Kernels& kernels, const kernels::Rows& in, const float* room,
                      float* out, kernels::Finish finish) const {
  finish.bias = bias_.data();
  const kernels::Target target{out, columns_, in.rows, columns_};
  const std::size_t depth = in_groups(depth_);
  const void* const start = room;
  if (form_ == Form::Floats) {
    kernels.product({in.in, in.stride, depth_, floats_.data(), target, finish});
  } else if (form_ == Form::Bytes) {
    const auto* const roundings = static_cast<const Rounding*>(start);
    const void* const behind = roundings + in.rows;
    kernels.byte_product({static_cast<const std::uint8_t*>(behind), roundings, depth, bytes_.data(),
                          scales_.data(), sums_.data(), target, finish});
  } else {
    const void *const terms = room + in.rows, *const words = room + 2 * in.rows;
    kernels.word_product({static_cast<const std::int16_t*>(words), room,
                          static_cast<const std::int32_t*>(terms), depth, words_.data(),
                          scales_.data(), terms_.data(), target, finish});
  }
}

}  // namespace aleph::nets
