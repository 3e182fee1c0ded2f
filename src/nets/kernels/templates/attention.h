// Attention of one position, head by head.
#pragma once

#include "nets/kernels/templates/product.h"
#include "nets/kernels/templates/rows.h"

namespace aleph::nets::kernels {
namespace {

// Rows become columns: panels [rows / 16][width][16], zeros behind the last row.
template <class Isa>
void pack_rows(const Rows& in, float* panels) {
  for (std::size_t first = 0; first < in.rows; first += kPanel, panels += in.width * kPanel)
    for (std::size_t lane = 0; lane < kPanel; lane += Isa::kLanes) {
      const float* const from = in.in + (first + lane) * in.stride;
      std::size_t k = 0;
      if (first + lane + Isa::kLanes <= in.rows)
        for (; k + Isa::kLanes <= in.width; k += Isa::kLanes)
          Isa::transpose(from + k, in.stride, panels + k * kPanel + lane, kPanel);
      for (; k < in.width; ++k)
        for (std::size_t i = 0; i < Isa::kLanes; ++i)
          panels[k * kPanel + lane + i] =
              first + lane + i < in.rows ? from[i * in.stride + k] : 0.0F;
    }
}

// Columns stay columns: panels [width / 16][rows][16].
template <class Isa>
void pack_columns(const Rows& in, float* panels) {
  for (std::size_t first = 0; first < in.width; first += kPanel)
    for (std::size_t row = 0; row < in.rows; ++row, panels += kPanel)
      for (std::size_t i = 0; i < kPanel; i += Isa::kLanes)
        Isa::store(panels + i, load_within<Isa>(in.in + row * in.stride, first + i, in.width));
}

// Each row to e^(x - most) over their sum; [rows][stride].
template <class Isa>
void softmax_rows(float* scores, std::size_t rows, std::size_t width, std::size_t stride,
                  const float* bias) {
  for (std::size_t row = 0; row < rows; ++row, scores += stride) {
    for (std::size_t i = width; i < stride; ++i) scores[i] = -1e30F;
    auto high = Isa::all(-1e30F);
    for (std::size_t i = 0; i < width; i += Isa::kLanes) {
      auto x = Isa::load(scores + i);
      if (bias != nullptr) x = Isa::add(x, load_within<Isa>(bias + row * width, i, width));
      Isa::store(scores + i, x);
      high = Isa::larger(high, x);
    }
    const auto most = Isa::all(Isa::largest(high));
    auto sum = Isa::zero();
    for (std::size_t i = 0; i < width; i += Isa::kLanes) {
      const auto e = exponential<Isa>(Isa::subtract(Isa::load(scores + i), most));
      Isa::store(scores + i, e);
      sum = Isa::add(sum, e);
    }
    const auto factor = Isa::all(1.0F / Isa::total(sum));
    for (std::size_t i = 0; i < width; i += Isa::kLanes)
      Isa::store(scores + i, Isa::multiply(Isa::load(scores + i), factor));
  }
}

// A head's rows times `scale`, normed if there is a gain.
template <class Isa>
void copy_head(const Rows& in, const float* gain, float epsilon, float scale, float* out) {
  for (std::size_t row = 0; row < in.rows; ++row, out += in.width) {
    const float* const from = in.in + row * in.stride;
    float factor = scale;
    if (gain != nullptr) factor /= Isa::root(row_spread<Isa>(from, in.width, 0.0F) + epsilon);
    const auto factors = Isa::all(factor);
    for (std::size_t i = 0; i < in.width; i += Isa::kLanes) {
      auto x = Isa::multiply(load_within<Isa>(from, i, in.width), factors);
      if (gain != nullptr) x = Isa::multiply(x, load_within<Isa>(gain, i, in.width));
      store_within<Isa>(out, i, in.width, x);
    }
  }
}

template <class Isa>
void attention(const AttentionJob& job) {
  const std::size_t rows = job.rows, depth = job.depth, stride = in_panels(rows);
  float* const queries = job.scratch;
  float* const normed_keys = queries + rows * depth;
  float* const scores = normed_keys + rows * depth;
  float* const key_panels = scores + rows * stride;
  float* const value_panels = key_panels + depth * stride;
  const float scale = 1.0F / Isa::root(static_cast<float>(depth));
  for (std::size_t head = 0; head < job.heads; ++head) {
    const std::size_t first = head * depth;
    copy_head<Isa>({job.queries + first, job.query_stride, rows, depth}, job.query_gain,
                   job.epsilon, scale, queries);
    Rows keys{job.keys + first, job.key_stride, rows, depth};
    if (job.key_gain != nullptr) {
      copy_head<Isa>(keys, job.key_gain, job.epsilon, 1.0F, normed_keys);
      keys = {normed_keys, depth, rows, depth};
    }
    pack_rows<Isa>(keys, key_panels);
    product<Isa>({queries, depth, depth, key_panels, {scores, stride, rows, stride}, {}});
    softmax_rows<Isa>(scores, rows, rows, stride,
                      job.bias != nullptr ? job.bias + head * rows * rows : nullptr);
    pack_columns<Isa>({job.values + first, job.value_stride, rows, depth}, value_panels);
    product<Isa>({scores,
                  stride,
                  rows,
                  value_panels,
                  {job.out + first, job.heads * depth, rows, depth},
                  {}});
  }
}

}  // namespace
}  // namespace aleph::nets::kernels
