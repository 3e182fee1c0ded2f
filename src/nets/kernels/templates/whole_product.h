// Products of whole numbers: bytes for linear layers, words for Winograd's waves.
#pragma once

#include "nets/kernels/templates/tiles.h"

namespace aleph::nets::kernels {
namespace {

template <class Isa, std::size_t kRows>
using SumTile = typename Isa::Sums[kRows][kPanel / Isa::kLanes];

template <class Isa, std::size_t kRows>
[[gnu::noinline]] void byte_tile(const ByteProduct& job, const TilePlace& place,
                                 const std::int8_t* panel, const std::int8_t* ahead) {
  constexpr std::size_t kVectors = kPanel / Isa::kLanes, kHalf = 4 * kPanel;
  SumTile<Isa, kRows> sum;
#pragma GCC unroll 8
  for (std::size_t row = 0; row < kRows; ++row)
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) sum[row][v] = Isa::no_sums();

  const std::uint8_t* const in = job.in + place.first_row * job.depth;
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
  // scale * (sum - zero * sum of weights), by rows and columns.
  const std::size_t column = place.panel * kPanel;
#pragma GCC unroll 8
  for (std::size_t row = 0; row < kRows; ++row) {
    const Rounding rounding = job.roundings[place.first_row + row];
    const auto scale = Isa::all(rounding.scale);
    const auto shift = Isa::all(-rounding.scale * static_cast<float>(rounding.zero));
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t at = column + v * Isa::kLanes;
      const auto scaled = Isa::multiply(Isa::to_floats(sum[row][v]),
                                        Isa::multiply(scale, Isa::load(job.scales + at)));
      Isa::store(place.out + row * place.stride + v * Isa::kLanes,
                 Isa::multiply_add(shift, Isa::load(job.sums + at), scaled));
    }
  }
}

template <class Isa, std::size_t kRows>
[[gnu::noinline]] void word_tile(const WordProduct& job, const TilePlace& place,
                                 const std::int16_t* panel, const std::int16_t* ahead) {
  constexpr std::size_t kVectors = kPanel / Isa::kLanes;
  SumTile<Isa, kRows> sum;
#pragma GCC unroll 8
  for (std::size_t row = 0; row < kRows; ++row)
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) sum[row][v] = Isa::no_sums();

  const std::int16_t* const in = job.in + place.first_row * job.depth;
  for (std::size_t k = 0; k < job.depth; k += 4) {
    Isa::prefetch(ahead + k * kPanel);
    Isa::prefetch(ahead + (k + 2) * kPanel);
    typename Isa::Pairs weight[2][kVectors];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      weight[0][v] = Isa::load_pairs(panel + k * kPanel + v * Isa::kLanes * 2);
      weight[1][v] = Isa::load_pairs(panel + (k + 2) * kPanel + v * Isa::kLanes * 2);
      Isa::keep(weight[0][v]);
      Isa::keep(weight[1][v]);
    }
#pragma GCC unroll 8
    for (std::size_t row = 0; row < kRows; ++row) {
      const auto x = Isa::repeat_two(in + row * job.depth + k);
      const auto y = Isa::repeat_two(in + row * job.depth + k + 2);
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v)
        Isa::quick_dot(sum[row][v], x, weight[0][v], y, weight[1][v]);
    }
  }
  const float* const scales = job.scales + place.panel * kPanel;
  const std::int32_t* const terms = job.terms + place.panel * kPanel;
#pragma GCC unroll 8
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto scale = Isa::all(job.in_scales[place.first_row + row]);
    const auto term = Isa::all_sums(job.in_terms[place.first_row + row]);
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t at = v * Isa::kLanes;
      const auto whole =
          Isa::subtract_sums(Isa::subtract_sums(sum[row][v], term), Isa::load_sums(terms + at));
      Isa::store(
          place.out + row * place.stride + at,
          Isa::multiply(Isa::to_floats(whole), Isa::multiply(scale, Isa::load(scales + at))));
    }
  }
}

// A tile of as many rows as there are.
template <class Isa, std::size_t kRows, class Job, class Weights>
void whole_tile(const Job& job, const TilePlace& place, const Weights* panel,
                const Weights* ahead) {
  if (place.rows == kRows) {
    if constexpr (sizeof(Weights) == 1)
      byte_tile<Isa, kRows>(job, place, panel, ahead);
    else
      word_tile<Isa, kRows>(job, place, panel, ahead);
  } else if constexpr (kRows > 1) {
    whole_tile<Isa, kRows - 1>(job, place, panel, ahead);
  }
}

template <class Isa, std::size_t kRows, class Job>
void whole_product(const Job& job) {
  const std::size_t panel_size = job.depth * kPanel;
  const std::size_t panels = in_panels(job.target.columns) / kPanel;
  for_each_tile<Isa, kRows>(
      job.target, job.finish, job.depth * sizeof *job.in, [&](const TilePlace& place) {
        // Tiles of words ask for the next panel, the first two tiles of bytes for half of it each.
        const auto* const weights = job.panels + place.panel * panel_size;
        const auto* const next = place.panel + 1 < panels ? weights + panel_size : weights;
        const std::size_t half = sizeof *weights == 1 ? (place.number & 1) * (panel_size / 2) : 0;
        whole_tile<Isa, kRows>(job, place, weights, next + half);
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
