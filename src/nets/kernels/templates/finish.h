// From sums to results (kernels.h, Finish), tile by tile.
#pragma once

#include "nets/kernels/kernels.h"
#include "nets/kernels/templates/activations.h"

namespace aleph::nets::kernels {
namespace {

// [rows][16] sums, which become the rows of the target from `first_row` and columns from
// `first_column` on.
struct Tile {
  float* sums;
  std::size_t rows, first_row, first_column;
};

template <class Isa>
void curve_numbers(Activation activation, float* numbers, std::size_t count) {
  if (activation == Activation::None) return;
  with_curve<Isa>(activation, [&](auto curve) {
    for (std::size_t i = 0; i < count; i += Isa::kLanes)
      Isa::store(numbers + i, curve.of(Isa::load(numbers + i)));
  });
}

// All 16 columns, and nothing but a relu, if that, behind a residual: once through, row by row.
template <class Isa, class Curve>
void finish_whole(const Tile& tile, const Target& target, const Finish& finish) {
  constexpr std::size_t kVectors = kPanel / Isa::kLanes, kLanes = Isa::kLanes;
  const std::size_t column = tile.first_column;
  typename Isa::Floats bias[kVectors];
#pragma GCC unroll 4
  for (std::size_t v = 0; v < kVectors; ++v)
    bias[v] = finish.bias != nullptr ? Isa::load(finish.bias + column + v * kLanes) : Isa::zero();
  float* to = target.out + tile.first_row * target.stride + column;
  const float* const end = tile.sums + tile.rows * kPanel;
  if (finish.residual == nullptr) {
    for (const float* sum = tile.sums; sum < end; sum += kPanel, to += target.stride)
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kVectors; ++v)
        Isa::store(to + v * kLanes, Curve::of(Isa::add(Isa::load(sum + v * kLanes), bias[v])));
    return;
  }
  const auto scale = Isa::all(finish.scale), other_scale = Isa::all(finish.residual_scale);
  const auto least = finish.last == Activation::Relu ? Isa::zero() : Isa::all(-3e38F);
  const float* other = finish.residual + tile.first_row * finish.residual_stride + column;
  for (const float* sum = tile.sums; sum < end; sum += kPanel, to += target.stride) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto y = Curve::of(Isa::add(Isa::load(sum + v * kLanes), bias[v]));
      const auto both =
          Isa::multiply_add(Isa::load(other + v * kLanes), other_scale, Isa::multiply(y, scale));
      Isa::store(to + v * kLanes, Isa::larger(both, least));
    }
    other += finish.residual_stride;
  }
}

// Whatever there is, step by step. The tile is overwritten.
template <class Isa>
void finish_part(const Tile& tile, const Target& target, const Finish& finish) {
  const std::size_t count = tile.rows * kPanel;
  const std::size_t left = target.columns - tile.first_column;
  const std::size_t width = left < kPanel ? left : kPanel;
  if (finish.bias != nullptr)
    for (std::size_t i = 0; i < count; ++i)
      tile.sums[i] += finish.bias[tile.first_column + i % kPanel];
  curve_numbers<Isa>(finish.activation, tile.sums, count);
  if (finish.residual != nullptr) {
    for (std::size_t row = 0; row < tile.rows; ++row)
      for (std::size_t i = 0; i < width; ++i) {
        float& sum = tile.sums[row * kPanel + i];
        const float other =
            finish
                .residual[(tile.first_row + row) * finish.residual_stride + tile.first_column + i];
        sum = other * finish.residual_scale + sum * finish.scale;
      }
    curve_numbers<Isa>(finish.last, tile.sums, count);
  }
  for (std::size_t row = 0; row < tile.rows; ++row)
    for (std::size_t i = 0; i < width; ++i)
      target.out[(tile.first_row + row) * target.stride + tile.first_column + i] =
          tile.sums[row * kPanel + i];
}

template <class Isa>
void finish_tile(const Tile& tile, const Target& target, const Finish& finish) {
  const bool simple = finish.residual == nullptr || finish.last == Activation::None ||
                      finish.last == Activation::Relu;
  if (!simple || tile.first_column + kPanel > target.columns)
    return finish_part<Isa>(tile, target, finish);
  with_curve<Isa>(finish.activation,
                  [&](auto curve) { finish_whole<Isa, decltype(curve)>(tile, target, finish); });
}

// Nothing to do: sums are results.
inline bool is_plain(const Finish& finish) {
  return finish.bias == nullptr && finish.activation == Activation::None &&
         finish.residual == nullptr;
}

template <class Isa>
void finish_rows(const Rows& in, const Finish& finish, float* out) {
  constexpr std::size_t kTileRows = 16;
  const Target target{out, in.width, in.rows, in.width};
  alignas(64) float sums[kTileRows * kPanel] = {};
  for (std::size_t row = 0; row < in.rows; row += kTileRows) {
    const std::size_t rows = in.rows - row < kTileRows ? in.rows - row : kTileRows;
    for (std::size_t first = 0; first < in.width; first += kPanel) {
      const std::size_t width = in.width - first < kPanel ? in.width - first : kPanel;
      for (std::size_t i = 0; i < rows; ++i)
        __builtin_memcpy(sums + i * kPanel, in.in + (row + i) * in.stride + first,
                         width * sizeof(float));
      finish_tile<Isa>({sums, rows, row, first}, target, finish);
    }
  }
}

}  // namespace
}  // namespace aleph::nets::kernels
