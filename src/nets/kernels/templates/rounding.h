// Rows of floats to whole numbers, each row with a scale of its own.
#pragma once

#include "nets/kernels/kernels.h"

namespace aleph::nets::kernels {
namespace {

// The last vector may reach behind the row: zeros then.
template <class Isa>
typename Isa::Floats load_within(const float* row, std::size_t i, std::size_t width) {
  if (i + Isa::kLanes <= width) return Isa::load(row + i);
  return Isa::load_some(row + i, i < width ? width - i : 0);
}

// Zero is always among the numbers of a row, so that its whole number is one of 0 to 255.
template <class Isa>
void round_to_bytes(const Rows& in, std::size_t depth, std::uint8_t* out, Rounding* roundings) {
  for (std::size_t row = 0; row < in.rows; ++row, out += depth) {
    const float* const from = in.in + row * in.stride;
    auto high = Isa::zero(), low = Isa::zero();
    for (std::size_t i = 0; i < in.width; i += Isa::kLanes) {
      const auto numbers = load_within<Isa>(from, i, in.width);
      high = Isa::larger(high, numbers);
      low = Isa::smaller(low, numbers);
    }
    const float most = Isa::largest(high);
    const float least = -Isa::largest(Isa::subtract(Isa::zero(), low));
    const float range = most - least;
    const float inverse = range > 1e-30F ? kMostByte / range : 0.0F;
    const int zero = static_cast<int>(-least * inverse + 0.5F);
    roundings[row] = {range / kMostByte, zero};
    const auto factor = Isa::all(inverse), shift = Isa::all(static_cast<float>(zero));
    const auto at = [&](std::size_t i) {
      return Isa::multiply_add(load_within<Isa>(from, i, in.width), factor, shift);
    };
    constexpr std::size_t kLanes = Isa::kLanes;
    std::size_t i = 0;
    for (; i + 4 * kLanes <= depth; i += 4 * kLanes)
      Isa::store_bytes(out + i, at(i), at(i + kLanes), at(i + 2 * kLanes), at(i + 3 * kLanes));
    for (; i < depth; i += kLanes) {
      const std::size_t left = depth - i;
      Isa::store_some_bytes(out + i, at(i), left < kLanes ? left : kLanes);
    }
  }
}

template <class Isa>
void round_to_words(const Rows& in, std::size_t depth, std::int16_t* out, float* scales) {
  constexpr float kLimit = kMostWord;
  for (std::size_t row = 0; row < in.rows; ++row, out += depth) {
    const float* const from = in.in + row * in.stride;
    auto high = Isa::zero();
    for (std::size_t i = 0; i < in.width; i += Isa::kLanes)
      high = Isa::larger(high, Isa::magnitude(load_within<Isa>(from, i, in.width)));
    const float most = Isa::largest(high);
    scales[row] = most / kLimit;
    const auto factor = Isa::all(most > 1e-30F ? kLimit / most : 0.0F);
    for (std::size_t i = 0; i < depth; i += Isa::kLanes) {
      const std::size_t left = depth - i;
      Isa::store_some_words(out + i, Isa::multiply(load_within<Isa>(from, i, in.width), factor),
                            left < Isa::kLanes ? left : Isa::kLanes);
    }
  }
}

template <class Isa>
void terms_of_words(const std::int16_t* in, std::size_t rows, std::size_t depth,
                    std::int32_t* terms) {
  std::size_t row = 0;
  if constexpr (requires { &Isa::four_halves_dots; })
    for (; row + 4 <= rows; row += 4) Isa::four_halves_dots(in + row * depth, depth, terms + row);
  for (; row < rows; ++row) terms[row] = Isa::halves_dot(in + row * depth, depth);
}

}  // namespace
}  // namespace aleph::nets::kernels
