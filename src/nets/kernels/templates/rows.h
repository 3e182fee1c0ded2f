// Norms, means, and the gates of squeeze and excitation.
#pragma once

#include "nets/kernels/templates/activations.h"
#include "nets/kernels/templates/rounding.h"

namespace aleph::nets::kernels {
namespace {

template <class Isa>
float row_mean(const float* row, std::size_t width) {
  auto sum = Isa::zero();
  for (std::size_t i = 0; i < width; i += Isa::kLanes)
    sum = Isa::add(sum, load_within<Isa>(row, i, width));
  return Isa::total(sum) / static_cast<float>(width);
}

// Mean of the squares of the distances from `centre`.
template <class Isa>
float row_spread(const float* row, std::size_t width, float centre) {
  auto sum = Isa::zero();
  const auto middle = Isa::all(centre);
  std::size_t i = 0;
  for (; i + Isa::kLanes <= width; i += Isa::kLanes) {
    const auto distance = Isa::subtract(Isa::load(row + i), middle);
    sum = Isa::multiply_add(distance, distance, sum);
  }
  float total = Isa::total(sum);
  for (; i < width; ++i) total += (row[i] - centre) * (row[i] - centre);
  return total / static_cast<float>(width);
}

template <class Isa>
void store_within(float* row, std::size_t i, std::size_t width, typename Isa::Floats x) {
  if (i + Isa::kLanes <= width) return Isa::store(row + i, x);
  Isa::store_some(row + i, x, width - i);
}

template <class Isa>
void norm(const NormJob& job) {
  const std::size_t width = job.in.width;
  for (std::size_t row = 0; row < job.in.rows; ++row) {
    const float* const from = job.in.in + row * job.in.stride;
    float* const to = job.out + row * width;
    const float mean = job.kind == NormKind::LayerNorm ? row_mean<Isa>(from, width) : 0.0F;
    const float spread = row_spread<Isa>(from, width, mean);
    const auto factor = Isa::all(1.0F / Isa::root(spread + job.epsilon));
    const auto middle = Isa::all(mean);
    for (std::size_t i = 0; i < width; i += Isa::kLanes) {
      const auto centred = Isa::subtract(load_within<Isa>(from, i, width), middle);
      const auto gain = Isa::multiply(factor, load_within<Isa>(job.gain, i, width));
      const auto shift = job.shift != nullptr ? load_within<Isa>(job.shift, i, width) : Isa::zero();
      store_within<Isa>(to, i, width, Isa::multiply_add(centred, gain, shift));
    }
  }
}

template <class Isa>
void mean_rows(const Rows& in, float* out) {
  const auto factor = Isa::all(1.0F / static_cast<float>(in.rows));
  for (std::size_t i = 0; i < in.width; i += Isa::kLanes) {
    auto sum = Isa::zero();
    for (std::size_t row = 0; row < in.rows; ++row)
      sum = Isa::add(sum, load_within<Isa>(in.in + row * in.stride, i, in.width));
    store_within<Isa>(out, i, in.width, Isa::multiply(sum, factor));
  }
}

template <class Isa>
void excite(const ExciteJob& job) {
  const std::size_t width = job.in.width;
  for (std::size_t i = 0; i < width; i += Isa::kLanes)
    store_within<Isa>(job.gates, i, width,
                      Curves<Isa>::Sigmoid::of(load_within<Isa>(job.gates, i, width)));
  with_curve<Isa>(job.last, [&](auto curve) {
    for (std::size_t i = 0; i < width; i += Isa::kLanes) {
      const auto gate = load_within<Isa>(job.gates, i, width);
      const auto shift = load_within<Isa>(job.gates + width, i, width);
      for (std::size_t row = 0; row < job.in.rows; ++row) {
        const auto shifted = Isa::multiply_add(
            gate, load_within<Isa>(job.in.in + row * job.in.stride, i, width), shift);
        const auto sum = Isa::add(shifted, load_within<Isa>(job.residual + row * width, i, width));
        store_within<Isa>(job.out + row * width, i, width, curve.of(sum));
      }
    }
  });
}

}  // namespace
}  // namespace aleph::nets::kernels
