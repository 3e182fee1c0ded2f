// Products of whole numbers: bytes for linear layers, words for Winograd's waves.
#pragma once

#include "nets/kernels/templates/finish.h"
#include "nets/kernels/templates/tiles.h"

namespace aleph::nets::kernels {
namespace {

template <class Isa, std::size_t kRows>
using SumTile = typename Isa::Sums[kRows][kPanel / Isa::kLanes];

template <class Isa, std::size_t kRows>
[[gnu::noinline]] void byte_tile(const ByteProduct& job, std::size_t first,
                                 const std::int8_t* panel, const std::int8_t* ahead, float* out,
                                 std::size_t column) {
  constexpr std::size_t kVectors = kPanel / Isa::kLanes, kHalf = 4 * kPanel;
  SumTile<Isa, kRows> sum;
#pragma GCC unroll 8
  for (std::size_t row = 0; row < kRows; ++row)
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) sum[row][v] = Isa::no_sums();

  const std::uint8_t* const in = job.in + first * job.depth;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < job.depth; k += kGroup) {
    const std::int8_t* const weights = panel + k * kPanel;
    Isa::prefetch(ahead + k * (kPanel / 2));
    typename Isa::Quads weight[2][kVectors];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      weight[0][v] = Isa::load_quads(weights + v * Isa::kLanes * 4);
      weight[1][v] = Isa::load_quads(weights + kHalf + v * Isa::kLanes * 4);
    }
#pragma GCC unroll 8
    for (std::size_t row = 0; row < kRows; ++row) {
      const auto x = Isa::repeat_four(in + row * job.depth + k);
      const auto y = Isa::repeat_four(in + row * job.depth + k + 4);
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v)
        sum[row][v] = Isa::dot(sum[row][v], x, weight[0][v], y, weight[1][v]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t row = 0; row < kRows; ++row) {
    const Rounding rounding = job.roundings[first + row];
    const auto zero = Isa::all_sums(rounding.zero);
    const auto scale = Isa::all(rounding.scale);
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t at = column + v * Isa::kLanes;
      const auto whole =
          Isa::subtract_sums(sum[row][v], Isa::multiply_sums(zero, Isa::load_sums(job.sums + at)));
      Isa::store(
          out + row * kPanel + v * Isa::kLanes,
          Isa::multiply(Isa::to_floats(whole), Isa::multiply(scale, Isa::load(job.scales + at))));
    }
  }
}

template <class Isa, std::size_t kRows>
[[gnu::noinline]] void word_tile(const WordProduct& job, std::size_t first,
                                 const std::int16_t* panel, const std::int16_t* ahead, float* out,
                                 std::size_t column) {
  constexpr std::size_t kVectors = kPanel / Isa::kLanes;
  SumTile<Isa, kRows> sum;
#pragma GCC unroll 8
  for (std::size_t row = 0; row < kRows; ++row)
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) sum[row][v] = Isa::no_sums();

  const std::int16_t* const in = job.in + first * job.depth;
#pragma GCC unroll 4
  for (std::size_t k = 0; k < job.depth; k += 2) {
    Isa::prefetch(ahead + k * (kPanel / 2));
    typename Isa::Pairs weight[kVectors];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v)
      weight[v] = Isa::load_pairs(panel + k * kPanel + v * Isa::kLanes * 2);
#pragma GCC unroll 8
    for (std::size_t row = 0; row < kRows; ++row) {
      const auto x = Isa::repeat_two(in + row * job.depth + k);
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v) sum[row][v] = Isa::dot(sum[row][v], x, weight[v]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto scale = Isa::all(job.in_scales[first + row]);
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v)
      Isa::store(
          out + row * kPanel + v * Isa::kLanes,
          Isa::multiply(Isa::to_floats(sum[row][v]),
                        Isa::multiply(scale, Isa::load(job.scales + column + v * Isa::kLanes))));
  }
}

// A tile of as many rows as there are.
template <class Isa, std::size_t kRows, class Job, class Weights>
void whole_tile(std::size_t rows, const Job& job, std::size_t first, const Weights* panel,
                const Weights* ahead, float* out, std::size_t column) {
  if (rows == kRows) {
    if constexpr (sizeof(Weights) == 1)
      byte_tile<Isa, kRows>(job, first, panel, ahead, out, column);
    else
      word_tile<Isa, kRows>(job, first, panel, ahead, out, column);
  } else if constexpr (kRows > 1) {
    whole_tile<Isa, kRows - 1>(rows, job, first, panel, ahead, out, column);
  }
}

template <class Isa, std::size_t kRows, class Job>
void whole_product(const Job& job) {
  alignas(64) float sums[kRows * kPanel];
  const std::size_t panel_size = job.depth * kPanel;
  const std::size_t panels = in_panels(job.target.columns) / kPanel;
  for_each_tile<kRows>(
      job.target, job.depth * sizeof *job.in,
      [&](std::size_t first, std::size_t rows, std::size_t panel, std::size_t tile) {
        // The first two tiles of a panel ask for the two halves of the next one.
        const auto* const weights = job.panels + panel * panel_size;
        const auto* const next = panel + 1 < panels ? weights + panel_size : weights;
        const auto* const ahead = next + (tile & 1) * (panel_size / 2);
        whole_tile<Isa, kRows>(rows, job, first, weights, ahead, sums, panel * kPanel);
        finish_tile<Isa>({sums, rows, first, panel * kPanel}, job.target, job.finish);
      });
}

template <class Isa>
void byte_product(const ByteProduct& job) {
  whole_product<Isa, Isa::kByteRows>(job);
}
template <class Isa>
void word_product(const WordProduct& job) {
  whole_product<Isa, Isa::kWordRows>(job);
}

}  // namespace
}  // namespace aleph::nets::kernels
