// Products of floats.
#pragma once

#include "nets/kernels/templates/finish.h"
#include "nets/kernels/templates/tiles.h"

namespace aleph::nets::kernels {
namespace {

struct FloatStrip {
  const float* in;
  std::size_t in_stride, depth;
  const float* panel;
  const float* ahead;  // weights that will be wanted soon: a line for every four of depth
};

// g++ 12 keeps the array of sums in registers only if all loops over it are unrolled.
template <class Isa, std::size_t kRows>
[[gnu::noinline]] void float_tile(const FloatStrip& strip, float* sums) {
  constexpr std::size_t kVectors = kPanel / Isa::kLanes;
  typename Isa::Floats sum[kRows][kVectors];
#pragma GCC unroll 8
  for (std::size_t row = 0; row < kRows; ++row)
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) sum[row][v] = Isa::zero();

  const auto step = [&](const float* in, const float* weights) __attribute__((always_inline)) {
    typename Isa::Floats weight[kVectors];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) weight[v] = Isa::load(weights + v * Isa::kLanes);
#pragma GCC unroll 8
    for (std::size_t row = 0; row < kRows; ++row) {
      const auto x = Isa::all(in[row * strip.in_stride]);
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v)
        sum[row][v] = Isa::multiply_add(x, weight[v], sum[row][v]);
    }
  };
  std::size_t k = 0;
  for (; k + 4 <= strip.depth; k += 4) {
    Isa::prefetch(strip.ahead + k * (kPanel / 4));
#pragma GCC unroll 4
    for (std::size_t i = k; i < k + 4; ++i) step(strip.in + i, strip.panel + i * kPanel);
  }
  for (; k < strip.depth; ++k) step(strip.in + k, strip.panel + k * kPanel);

#pragma GCC unroll 8
  for (std::size_t row = 0; row < kRows; ++row)
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v)
      Isa::store(sums + row * kPanel + v * Isa::kLanes, sum[row][v]);
}

template <class Isa, std::size_t kRows = Isa::kFloatRows>
void float_tile_of(std::size_t rows, const FloatStrip& strip, float* sums) {
  if (rows == kRows) return float_tile<Isa, kRows>(strip, sums);
  if constexpr (kRows > 1) float_tile_of<Isa, kRows - 1>(rows, strip, sums);
}

template <class Isa>
void product(const Product& job) {
  const std::size_t panel_size = job.depth * kPanel;
  const std::size_t panels = in_panels(job.target.columns) / kPanel;
  alignas(64) float sums[Isa::kFloatRows * kPanel];
  for_each_tile<Isa::kFloatRows>(
      job.target, job.depth * sizeof(float),
      [&](std::size_t first, std::size_t rows, std::size_t panel, std::size_t tile) {
        // The first four tiles of a panel ask for the four quarters of the next one.
        const std::size_t next = panel + 1 < panels ? panel + 1 : panel;
        const float* const ahead = job.panels + next * panel_size + (tile & 3) * (panel_size / 4);
        const FloatStrip strip{job.in + first * job.in_stride, job.in_stride, job.depth,
                               job.panels + panel * panel_size, ahead};
        float_tile_of<Isa>(rows, strip, sums);
        finish_tile<Isa>({sums, rows, first, panel * kPanel}, job.target, job.finish);
      });
}

}  // namespace
}  // namespace aleph::nets::kernels
