// Products of floats.
#pragma once

#include "nets/kernels/templates/tiles.h"

namespace aleph::nets::kernels {
namespace {

struct FloatStrip {
  const float* in;
  std::size_t in_stride, depth;
  const float* panel;
  std::size_t panel_size;
  // Weights that will be wanted soon: for every four of depth a line, or as many as it has.
  const float* ahead;
  bool all_ahead;
  const float* before;  // sums of what was multiplied before; null: zeros
  std::size_t before_stride;
};

// g++ 12 keeps the array of sums in registers only if all loops over it are unrolled.
template <class Isa, std::size_t kRows, std::size_t kPanels>
[[gnu::noinline]] void float_tile(const FloatStrip& strip, const TilePlace& place) {
  constexpr std::size_t kLanes = Isa::kLanes, kVectors = kPanels * kPanel / kLanes;
  typename Isa::Floats sum[kRows][kVectors];
  if (strip.before == nullptr) {
#pragma GCC unroll 16
    for (std::size_t row = 0; row < kRows; ++row)
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v) sum[row][v] = Isa::zero();
  } else {
#pragma GCC unroll 16
    for (std::size_t row = 0; row < kRows; ++row)
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v)
        sum[row][v] = Isa::load(strip.before + row * strip.before_stride + v * kLanes);
  }

  const auto step = [&](const float* in, const float* weights) __attribute__((always_inline)) {
    typename Isa::Floats weight[kVectors];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v)
      weight[v] = Isa::load(weights + v * kLanes / kPanel * strip.panel_size + v * kLanes % kPanel);
#pragma GCC unroll 16
    for (std::size_t row = 0; row < kRows; ++row) {
      const auto x = Isa::all(in[row * strip.in_stride]);
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v)
        sum[row][v] = Isa::multiply_add(x, weight[v], sum[row][v]);
    }
  };
  std::size_t k = 0;
  for (; k + 4 <= strip.depth; k += 4) {
#pragma GCC unroll 2
    for (std::size_t i = 0; i < kPanels; ++i) {
      const float* const ahead = strip.ahead + i * strip.panel_size;
      if (!strip.all_ahead) {
        Isa::prefetch(ahead + k * (kPanel / 4));
        continue;
      }
#pragma GCC unroll 4
      for (std::size_t line = 0; line < 4; ++line) Isa::prefetch(ahead + (k + line) * kPanel);
    }
#pragma GCC unroll 4
    for (std::size_t i = k; i < k + 4; ++i) step(strip.in + i, strip.panel + i * kPanel);
  }
  for (; k < strip.depth; ++k) step(strip.in + k, strip.panel + k * kPanel);

#pragma GCC unroll 16
  for (std::size_t row = 0; row < kRows; ++row)
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v)
      Isa::store(place.out + row * place.stride + v * kLanes / kPanel * place.panel_stride +
                     v * kLanes % kPanel,
                 sum[row][v]);
}

template <class Isa, std::size_t kPanels, std::size_t kRows = Isa::kFloatRows>
void float_tile_of(const TilePlace& place, const FloatStrip& strip) {
  if (place.rows == kRows) return float_tile<Isa, kRows, kPanels>(strip, place);
  if constexpr (kRows > 1) float_tile_of<Isa, kPanels, kRows - 1>(place, strip);
}

// Of rows so deep that few of them would fit the cache, parts are multiplied one after the other.
inline constexpr std::size_t kMostDepth = 512;

template <class Isa>
void product(const Product& job) {
  const Target& target = job.target;
  const std::size_t panel_size = job.depth * kPanel;
  const bool whole_panels = target.columns % kPanel == 0;  // only these have room for sums
  const std::size_t parts = whole_panels ? (job.depth + kMostDepth - 1) / kMostDepth : 1;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t first = job.depth * part / parts;
    const std::size_t depth = job.depth * (part + 1) / parts - first;
    for_each_tile<Isa, Isa::kFloatRows>(
        target, part + 1 == parts ? job.finish : Finish(), depth * sizeof(float),
        [&](const TilePlace& place) {
          // The first four tiles of a panel ask for the four quarters of the next one, each of
          // fewer for all of it. Behind the last one lie those of the next product, if weights
          // were packed in this order.
          const bool few = place.tiles < 4;
          const float* const panel = job.panels + place.panel * panel_size + first * kPanel;
          const float* const next = panel + place.panels * panel_size;
          const float* const sums = target.out + place.first_row * target.stride;
          const FloatStrip strip{job.in + place.first_row * job.in_stride + first,
                                 job.in_stride,
                                 depth,
                                 panel,
                                 panel_size,
                                 next + (few ? 0 : place.number & 3) * (depth * kPanel / 4),
                                 few,
                                 part == 0 ? nullptr : sums + place.panel * kPanel,
                                 target.stride};
          if (place.panels == Isa::kTilePanels)
            float_tile_of<Isa, Isa::kTilePanels>(place, strip);
          else
            float_tile_of<Isa, 1>(place, strip);
        });
  }
}

}  // namespace
}  // namespace aleph::nets::kernels
