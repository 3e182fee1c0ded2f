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

  // Six waves of a line to four outputs, in the first four places.
  static void out_line(Floats* m, std::size_t step) {
    const Floats m1 = m[step], m2 = m[2 * step], m3 = m[3 * step], m4 = m[4 * step];
    const Floats sum12 = Isa::add(m1, m2), sum34 = Isa::add(m3, m4);
    const Floats gap12 = Isa::subtract(m1, m2), gap34 = Isa::subtract(m3, m4);
    m[0] = Isa::add(m[0], Isa::add(sum12, sum34));
    m[step] = times(2, gap34, gap12);
    m[2 * step] = times(4, sum34, sum12);
    m[3 * step] = Isa::add(m[5 * step], times(8, gap34, gap12));
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

  // Sums of 16 channels at the 16 squares of a tile.
  static void tile_out(const WinogradOut& job, std::size_t tile, std::size_t first, float* sums) {
    const std::size_t columns = job.target.columns;
    for (std::size_t lane = 0; lane < kPanel; lane += Isa::kLanes) {
      Floats m[36];
      const float* from = job.waves + tile * columns;
      for (std::size_t i = 0; i < 36; ++i, from += job.wave_stride)
        m[i] = load_within<Isa>(from, first + lane, columns);
      for (std::size_t i = 0; i < 6; ++i) out_line(m + i, 6);
      for (std::size_t i = 0; i < 4; ++i) {
        out_line(m + 6 * i, 1);
        for (std::size_t j = 0; j < 4; ++j)
          Isa::store(sums + (4 * i + j) * kPanel + lane, m[6 * i + j]);
      }
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
  alignas(64) float sums[16 * kPanel];
  for (std::size_t tile = 0; tile < kTiles; ++tile)
    for (std::size_t first = 0; first < job.target.columns; first += kPanel) {
      Winograd<Isa>::tile_out(job, tile, first, sums);
      const std::size_t corner = tile / 2 * 32 + tile % 2 * 4;
      for (std::size_t rank = 0; rank < 4; ++rank)
        finish_tile<Isa>({sums + rank * 4 * kPanel, 4, corner + 8 * rank, first}, job.target,
                         job.finish);
    }
}

}  // namespace
}  // namespace aleph::nets::kernels
