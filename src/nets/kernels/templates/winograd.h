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

  // Six inputs of a line, `step` apart, to six waves.
  static void in_line(Floats* d, std::size_t step) {
    const Floats d0 = d[0], d1 = d[step], d2 = d[2 * step], d3 = d[3 * step], d4 = d[4 * step],
                 d5 = d[5 * step];
    const Floats even = times(-4, d2, d4), odd = times(-4, d1, d3);
    const Floats near = Isa::subtract(d4, d2), twice = times(2, d3, times(-2, d1, Isa::zero()));
    d[0] = times(4, d0, times(-5, d2, d4));
    d[step] = Isa::add(even, odd);
    d[2 * step] = Isa::subtract(even, odd);
    d[3 * step] = Isa::add(near, twice);
    d[4 * step] = Isa::subtract(near, twice);
    d[5 * step] = times(4, d1, times(-5, d3, d5));
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

  static void tile_in(const WinogradIn& job, std::size_t tile, std::size_t channel) {
    Floats d[36];
    const int first_rank = tile / 2 == 0 ? -1 : 3, first_file = tile % 2 == 0 ? -1 : 3;
    for (int i = 0; i < 36; ++i) {
      const int rank = first_rank + i / 6, file = first_file + i % 6;
      const bool on_board = rank >= 0 && rank < 8 && file >= 0 && file < 8;
      const std::size_t square = on_board ? static_cast<std::size_t>(rank * 8 + file) : 0;
      d[i] = on_board ? load_within<Isa>(job.board + square * job.channels, channel, job.channels)
                      : Isa::zero();
    }
    for (std::size_t i = 0; i < 6; ++i) in_line(d + i, 6);
    for (std::size_t i = 0; i < 6; ++i) in_line(d + 6 * i, 1);
    float* out = job.out + tile * job.channels;
    for (std::size_t i = 0; i < 36; ++i, out += job.wave_stride)
      store_within<Isa>(out, channel, job.channels, d[i]);
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
  for (std::size_t tile = 0; tile < kTiles; ++tile)
    for (std::size_t channel = 0; channel < job.channels; channel += Isa::kLanes)
      Winograd<Isa>::tile_in(job, tile, channel);
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
