// Products of whole numbers: bytes for linear layers, words for Winograd's waves.
#pragma once

#include "nets/kernels/templates/tiles.h"

namespace aleph::nets::kernels {
namespace {

// A tile of kRows rows and kPanels panels, whose sums stay in registers.
template <class Isa, std::size_t kRows, std::size_t kPanels>
struct WholeTile {
  static constexpr std::size_t kLanes = Isa::kLanes, kVectors = kPanels * kPanel / kLanes;
  using Sums = typename Isa::Sums[kRows][kVectors];

  // Of a vector's columns, among weights and among results.
  static constexpr std::size_t panel_of(std::size_t vector) { return vector * kLanes / kPanel; }
  static constexpr std::size_t lane_of(std::size_t vector) { return vector * kLanes % kPanel; }

  [[gnu::noinline]] static void bytes(const ByteProduct& job, const TilePlace& place,
                                      const std::int8_t* panel, const std::int8_t* ahead) {
    constexpr std::size_t kHalf = 4 * kPanel;
    const std::size_t panel_size = job.depth * kPanel;
    Sums sum;
#pragma GCC unroll 16
    for (std::size_t row = 0; row < kRows; ++row)
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v) sum[row][v] = Isa::no_sums();

    const std::uint8_t* const in = job.in + place.first_row * job.depth;
#pragma GCC unroll 2
    for (std::size_t k = 0; k < job.depth; k += kGroup) {
      const std::int8_t* const weights = panel + k * kPanel;
#pragma GCC unroll 2
      for (std::size_t i = 0; i < kPanels; ++i)
        Isa::prefetch(ahead + i * panel_size + k * (kPanel / 2));
      typename Isa::Quads weight[2][kVectors];
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v) {
        const std::int8_t* const from = weights + panel_of(v) * panel_size + lane_of(v) * 4;
        weight[0][v] = Isa::load_quads(from);
        weight[1][v] = Isa::load_quads(from + kHalf);
      }
#pragma GCC unroll 16
      for (std::size_t row = 0; row < kRows; ++row) {
        const auto x = Isa::repeat_four(in + row * job.depth + k);
        const auto y = Isa::repeat_four(in + row * job.depth + k + 4);
#pragma GCC unroll 8
        for (std::size_t v = 0; v < kVectors; ++v)
          Isa::dot(sum[row][v], x, weight[0][v], y, weight[1][v]);
      }
    }
    store_bytes_sums(job, place, sum);
  }

  [[gnu::noinline]] static void words(const WordProduct& job, const TilePlace& place,
                                      const std::int16_t* panel, const std::int16_t* ahead) {
    const std::size_t panel_size = job.depth * kPanel;
    Sums sum;
    without_terms(job, place, sum);
    const std::int16_t* const in = job.in + place.first_row * job.depth;
    for (std::size_t k = 0; k < job.depth; k += 4) {
#pragma GCC unroll 2
      for (std::size_t i = 0; i < kPanels; ++i) {
        Isa::prefetch(ahead + i * panel_size + k * kPanel);
        Isa::prefetch(ahead + i * panel_size + (k + 2) * kPanel);
      }
      typename Isa::Pairs weight[2][kVectors];
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v) {
        const std::int16_t* const from =
            panel + k * kPanel + panel_of(v) * panel_size + lane_of(v) * 2;
        weight[0][v] = Isa::load_pairs(from);
        weight[1][v] = Isa::load_pairs(from + 2 * kPanel);
        Isa::keep(weight[0][v]);
        Isa::keep(weight[1][v]);
      }
#pragma GCC unroll 16
      for (std::size_t row = 0; row < kRows; ++row) {
        const auto x = Isa::repeat_two(in + row * job.depth + k);
        const auto y = Isa::repeat_two(in + row * job.depth + k + 2);
#pragma GCC unroll 8
        for (std::size_t v = 0; v < kVectors; ++v)
          Isa::quick_dot(sum[row][v], x, weight[0][v], y, weight[1][v]);
      }
    }
    store_words_sums(job, place, sum);
  }

 private:
  static float* target_of(const TilePlace& place, std::size_t row, std::size_t v) {
    return place.out + row * place.stride + panel_of(v) * place.panel_stride + lane_of(v);
  }

  // scale * (sum - zero * sum of weights), by rows and columns.
  [[gnu::always_inline]] static inline void store_bytes_sums(const ByteProduct& job,
                                                             const TilePlace& place,
                                                             const Sums& sum) {
    const std::size_t column = place.panel * kPanel;
#pragma GCC unroll 16
    for (std::size_t row = 0; row < kRows; ++row) {
      const Rounding rounding = job.roundings[place.first_row + row];
      const auto scale = Isa::all(rounding.scale);
      const auto shift = Isa::all(-rounding.scale * static_cast<float>(rounding.zero));
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v) {
        const std::size_t at = column + v * kLanes;
        const auto scaled = Isa::multiply(Isa::to_floats(sum[row][v]),
                                          Isa::multiply(scale, Isa::load(job.scales + at)));
        Isa::store(target_of(place, row, v),
                   Isa::multiply_add(shift, Isa::load(job.sums + at), scaled));
      }
    }
  }

  // What sums of words begin with: the terms of their row and column are taken off in advance.
  [[gnu::always_inline]] static inline void without_terms(const WordProduct& job,
                                                          const TilePlace& place, Sums& sum) {
    const std::int32_t* const terms = job.terms + place.panel * kPanel;
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto start = Isa::subtract_sums(Isa::no_sums(), Isa::load_sums(terms + v * kLanes));
#pragma GCC unroll 16
      for (std::size_t row = 0; row < kRows; ++row)
        sum[row][v] = Isa::subtract_sums(start, Isa::all_sums(job.in_terms[place.first_row + row]));
    }
  }

  [[gnu::always_inline]] static inline void store_words_sums(const WordProduct& job,
                                                             const TilePlace& place,
                                                             const Sums& sum) {
    const float* const scales = job.scales + place.panel * kPanel;
#pragma GCC unroll 16
    for (std::size_t row = 0; row < kRows; ++row) {
      const auto scale = Isa::all(job.in_scales[place.first_row + row]);
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v)
        Isa::store(target_of(place, row, v),
                   Isa::multiply(Isa::to_floats(sum[row][v]),
                                 Isa::multiply(scale, Isa::load(scales + v * kLanes))));
    }
  }
};

// A tile of as many rows as there are.
template <class Isa, std::size_t kPanels, std::size_t kRows, class Job, class Weights>
void whole_tile(const Job& job, const TilePlace& place, const Weights* panel,
                const Weights* ahead) {
  if (place.rows == kRows) {
    if constexpr (sizeof(Weights) == 1)
      WholeTile<Isa, kRows, kPanels>::bytes(job, place, panel, ahead);
    else
      WholeTile<Isa, kRows, kPanels>::words(job, place, panel, ahead);
  } else if constexpr (kRows > 1) {
    whole_tile<Isa, kPanels, kRows - 1>(job, place, panel, ahead);
  }
}

template <class Isa, std::size_t kRows, class Job>
void whole_product(const Job& job) {
  const std::size_t panel_size = job.depth * kPanel;
  for_each_tile<Isa, kRows>(
      job.target, job.finish, job.depth * sizeof *job.in, [&](const TilePlace& place) {
        // Tiles of words ask for the next panels, tiles of bytes by turns for halves of them.
        // Behind the last ones lie those of the next product, if weights were packed in this order.
        const auto* const weights = job.panels + place.panel * panel_size;
        const auto* const next = weights + place.panels * panel_size;
        const std::size_t half = sizeof *weights == 1 ? (place.number & 1) * (panel_size / 2) : 0;
        if (place.panels == Isa::kTilePanels)
          whole_tile<Isa, Isa::kTilePanels, kRows>(job, place, weights, next + half);
        else
          whole_tile<Isa, 1, kRows>(job, place, weights, next + half);
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
