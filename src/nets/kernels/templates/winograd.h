// Winograd's convolution F(4x4, 3x3), Lavin and Gray's matrices: a board is four tiles, whose 6x6
// inputs overlap; in the basis of the transform a convolution is 36 products of matrices instead of
// 4 * 4 * 9 for each tile. The transform of weights is in packing.cpp.
#pragma once

#include "nets/kernels/templates/finish.h"
#include "nets/kernels/templates/rounding.h"
#include "nets/kernels/templates/rows.h"

namespace aleph::nets::kernels {
namespace {

template <class Isa>
struct Winograd {
  using Floats = typename Isa::Floats;

  static Floats times(float factor, Floats x, Floats plus) {
    return Isa::multiply_add(Isa::all(factor), x, plus);
  }

  struct Six {
    Floats waves[6];
  };
  // Six inputs of a line to six waves.
  [[gnu::always_inline]] static inline Six in_line(Floats d0, Floats d1, Floats d2, Floats d3,
                                                   Floats d4, Floats d5) {
    const Floats even = times(-4, d2, d4), odd = times(-4, d1, d3);
    const Floats near = Isa::subtract(d4, d2), gap = Isa::subtract(d3, d1);
    const Floats twice = Isa::add(gap, gap);
    return {{times(4, d0, times(-5, d2, d4)), Isa::add(even, odd), Isa::subtract(even, odd),
             Isa::add(near, twice), Isa::subtract(near, twice), times(4, d1, times(-5, d3, d5))}};
  }

  struct Four {
    Floats outputs[4];
  };
  // Six waves of a line to four outputs.
  [[gnu::always_inline]] static inline Four out_line(Floats m0, Floats m1, Floats m2, Floats m3,
                                                     Floats m4, Floats m5) {
    const Floats sum12 = Isa::add(m1, m2), sum34 = Isa::add(m3, m4);
    const Floats gap12 = Isa::subtract(m1, m2), gap34 = Isa::subtract(m3, m4);
    return {{Isa::add(m0, Isa::add(sum12, sum34)), times(2, gap34, gap12), times(4, sum34, sum12),
             Isa::add(m5, times(8, gap34, gap12))}};
  }

  // The 36 waves of a tile; load(square) are the numbers of a square, store(wave, numbers) gets
  // those of a wave.
  template <int kTile, class Load, class Store>
  [[gnu::always_inline]] static inline void lanes_in(Load load, Store store) {
    constexpr int kRank = kTile / 2 == 0 ? -1 : 3, kFile = kTile % 2 == 0 ? -1 : 3;
    const auto at = [&](int rank, int file) __attribute__((always_inline)) {
      const bool on_board = rank >= 0 && rank < 8 && file >= 0 && file < 8;
      return on_board ? load(static_cast<std::size_t>(rank * 8 + file)) : Isa::zero();
    };
    Floats columns[36];
#pragma GCC unroll 6
    for (int i = 0; i < 6; ++i) {
      const int file = kFile + i;
      const Six six = in_line(at(kRank, file), at(kRank + 1, file), at(kRank + 2, file),
                              at(kRank + 3, file), at(kRank + 4, file), at(kRank + 5, file));
#pragma GCC unroll 6
      for (int wave = 0; wave < 6; ++wave) columns[6 * wave + i] = six.waves[wave];
    }
#pragma GCC unroll 6
    for (std::size_t rank = 0; rank < 6; ++rank) {
      const Floats* const d = columns + 6 * rank;
      const Six six = in_line(d[0], d[1], d[2], d[3], d[4], d[5]);
#pragma GCC unroll 6
      for (std::size_t i = 0; i < 6; ++i) store(6 * rank + i, six.waves[i]);
    }
  }

  template <int kTile>
  static void tile_in(const WinogradIn& job) {
    const std::size_t channels = job.channels;
    float* const out = job.out + kTile * channels;
    std::size_t channel = 0;
    for (; channel + Isa::kLanes <= channels; channel += Isa::kLanes)
      lanes_in<kTile>(
          [&](std::size_t square) { return Isa::load(job.board + square * channels + channel); },
          [&](std::size_t wave, Floats x) {
            Isa::store(out + wave * job.wave_stride + channel, x);
          });
    const std::size_t left = channels - channel;
    if (left > 0)
      lanes_in<kTile>(
          [&](std::size_t square) {
            return Isa::load_some(job.board + square * channels + channel, left);
          },
          [&](std::size_t wave, Floats x) {
            Isa::store_some(out + wave * job.wave_stride + channel, x, left);
          });
  }

  // Sums of a vector's channels at the 16 squares of a tile, [64 squares][16] from its corner on;
  // load(wave) are those of one wave.
  template <class Load>
  [[gnu::always_inline]] static inline void lanes_out(Load load, float* sums) {
    Floats half[24];
#pragma GCC unroll 6
    for (std::size_t i = 0; i < 6; ++i) {
      const Four four =
          out_line(load(i), load(i + 6), load(i + 12), load(i + 18), load(i + 24), load(i + 30));
#pragma GCC unroll 4
      for (std::size_t rank = 0; rank < 4; ++rank) half[6 * rank + i] = four.outputs[rank];
    }
#pragma GCC unroll 4
    for (std::size_t rank = 0; rank < 4; ++rank) {
      const Floats* const m = half + 6 * rank;
      const Four four = out_line(m[0], m[1], m[2], m[3], m[4], m[5]);
#pragma GCC unroll 4
      for (std::size_t file = 0; file < 4; ++file)
        Isa::store(sums + (8 * rank + file) * kPanel, four.outputs[file]);
    }
  }

  // Asks for what comes behind this tile and panel, a line of every wave: there are more of them
  // than the processor follows by itself.
  static void ahead(const WinogradOut& job, std::size_t tile, std::size_t first) {
    const std::size_t columns = job.target.columns;
    const std::size_t next = first + kPanel < columns ? first + kPanel : first;
    const std::size_t at = tile + 1 < kTiles ? (tile + 1) * columns + first : next;
#pragma GCC unroll 36
    for (std::size_t i = 0; i < kWaves; ++i) Isa::prefetch(job.waves + i * job.wave_stride + at);
  }

  // Those of 16 channels.
  static void tile_out(const WinogradOut& job, std::size_t tile, std::size_t first, float* sums) {
    const std::size_t columns = job.target.columns;
    for (std::size_t lane = 0; lane < kPanel; lane += Isa::kLanes) {
      const float* const from = job.waves + tile * columns;
      const std::size_t column = first + lane;
      if (lane == 0) ahead(job, tile, first);
      if (column + Isa::kLanes <= columns)
        lanes_out([&](std::size_t i) { return Isa::load(from + i * job.wave_stride + column); },
                  sums + lane);
      else
        lanes_out(
            [&](std::size_t i) {
              return load_within<Isa>(from + i * job.wave_stride, column, columns);
            },
            sums + lane);
    }
  }
};

template <class Isa>
void winograd_in(const WinogradIn& job) {
  static_assert(kTiles == 4);
  Winograd<Isa>::template tile_in<0>(job);
  Winograd<Isa>::template tile_in<1>(job);
  Winograd<Isa>::template tile_in<2>(job);
  Winograd<Isa>::template tile_in<3>(job);
}

template <class Isa>
void winograd_out(const WinogradOut& job) {
  alignas(64) float sums[64 * kPanel];
  for (std::size_t first = 0; first < job.target.columns; first += kPanel) {
    for (std::size_t tile = 0; tile < kTiles; ++tile)
      Winograd<Isa>::tile_out(job, tile, first, sums + (tile / 2 * 32 + tile % 2 * 4) * kPanel);
    finish_tile<Isa>({sums, 64, 0, first}, job.target, job.finish);
  }
}

}  // namespace
}  // namespace aleph::nets::kernels
