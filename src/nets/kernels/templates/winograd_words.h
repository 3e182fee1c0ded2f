// The inputs of Winograd's convolution in whole numbers of 16 bits: the numbers of the matrix are
// whole, so that nothing is lost but by the rounding of the board.
#pragma once

#include "nets/kernels/templates/rounding.h"

namespace aleph::nets::kernels {
namespace {

template <class Isa>
struct WinogradWords {
  using Words = typename Isa::Words;
  static constexpr std::size_t kLine = 10;  // a rank with a square of nothing at both ends

  struct Six {
    Words waves[6];
  };
  // Six numbers, `step` apart, to six waves: winograd.h, in_line.
  [[gnu::always_inline]] static inline Six line(const Words* d, std::size_t step) {
    const Words d0 = d[0], d1 = d[step], d2 = d[2 * step], d3 = d[3 * step], d4 = d[4 * step],
                d5 = d[5 * step];
    const Words even = Isa::subtract_words(d4, Isa::four_times(d2));
    const Words odd = Isa::subtract_words(d3, Isa::four_times(d1));
    const Words near = Isa::subtract_words(d4, d2), gap = Isa::subtract_words(d3, d1);
    const Words twice = Isa::add_words(gap, gap);
    Six six;
    six.waves[0] = Isa::add_words(Isa::four_times(Isa::subtract_words(d0, d2)), near);
    six.waves[1] = Isa::add_words(even, odd);
    six.waves[2] = Isa::subtract_words(even, odd);
    six.waves[3] = Isa::add_words(near, twice);
    six.waves[4] = Isa::subtract_words(near, twice);
    six.waves[5] = Isa::subtract_words(Isa::subtract_words(d5, d3), Isa::add_words(twice, twice));
    return six;
  }

  // Three lines of waves of one tile, from the first or the fourth on. All six would not stay in
  // registers between the two steps.
  template <std::size_t kFirst, class Store>
  [[gnu::always_inline]] static inline void half_tile(const Words* corner, Store store) {
    Words columns[18];
#pragma GCC unroll 6
    for (std::size_t file = 0; file < 6; ++file) {
      const Six six = line(corner + file, kLine);
#pragma GCC unroll 3
      for (std::size_t i = 0; i < 3; ++i) columns[6 * i + file] = six.waves[kFirst + i];
    }
#pragma GCC unroll 3
    for (std::size_t i = 0; i < 3; ++i) {
      const Six six = line(columns + 6 * i, 1);
#pragma GCC unroll 6
      for (std::size_t k = 0; k < 6; ++k) store(6 * (kFirst + i) + k, six.waves[k]);
    }
  }

  // The 36 waves of one tile. count: so many of the lanes have a place in the target.
  static void tile(const Words* corner, std::int16_t* out, std::size_t wave_stride,
                   std::size_t count) {
    const auto all = [&](const auto& store) __attribute__((always_inline)) {
      half_tile<0>(corner, store);
      half_tile<3>(corner, store);
    };
    if (count == Isa::kWordLanes)
      all([&](std::size_t wave, Words x) { Isa::store_words(out + wave * wave_stride, x); });
    else
      all([&](std::size_t wave, Words x) {
        Isa::store_some_words(out + wave * wave_stride, x, count);
      });
  }

  // How many whole numbers the number 1 becomes.
  static float inverse_scale(const WinogradWordsIn& job) {
    constexpr std::size_t kTogether = 4;  // so that one need not wait for another
    typename Isa::Floats high[kTogether], low[kTogether];
    for (std::size_t j = 0; j < kTogether; ++j) high[j] = low[j] = Isa::zero();
    for (std::size_t i = 0; i < 64 * job.channels; i += kTogether * Isa::kLanes)
#pragma GCC unroll 4
      for (std::size_t j = 0; j < kTogether; ++j) {
        auto numbers = Isa::load(job.board + i + j * Isa::kLanes);
        Isa::keep(numbers);
        high[j] = Isa::larger(high[j], numbers);
        low[j] = Isa::smaller(low[j], numbers);
      }
    for (std::size_t j = 1; j < kTogether; ++j) {
      high[0] = Isa::larger(high[0], high[j]);
      low[0] = Isa::smaller(low[0], low[j]);
    }
    const float above = Isa::largest(high[0]);
    const float below = Isa::largest(Isa::subtract(Isa::zero(), low[0]));
    const float most = above > below ? above : below;
    const float limit = static_cast<float>(below > 0 ? kMostSigned : kMostUnsigned);
    if (most < 1e-30F) return 0;
    const float inverse = limit / most;
    const bool whole = job.keep_integers && most >= 1 && inverse >= 1;
    return whole ? static_cast<float>(static_cast<int>(inverse)) : inverse;
  }
};

template <class Isa>
float winograd_words_in(const WinogradWordsIn& job) {
  using Way = WinogradWords<Isa>;
  constexpr std::size_t kLine = Way::kLine, kLanes = Isa::kLanes;
  typename Isa::Words board[kLine * kLine];
  for (std::size_t i = 0; i < kLine; ++i)  // the squares of nothing
    board[i] = board[9 * kLine + i] = board[i * kLine] = board[i * kLine + 9] = Isa::no_words();
  const float inverse = Way::inverse_scale(job);
  const auto factor = Isa::all(inverse);
  const std::size_t depth = in_groups(job.channels);
  for (std::size_t channel = 0; channel < depth; channel += Isa::kWordLanes) {
    const auto fill = [&](auto load) __attribute__((always_inline)) {
      const float* row = job.board;
      for (std::size_t rank = 1; rank <= 8; ++rank)
#pragma GCC unroll 8
        for (std::size_t file = 1; file <= 8; ++file, row += job.channels)
          board[rank * kLine + file] =
              Isa::to_words(Isa::multiply(load(row, channel), factor),
                            Isa::multiply(load(row, channel + kLanes), factor));
    };
    if (channel + Isa::kWordLanes <= job.channels)
      fill([](const float* row, std::size_t at) { return Isa::load(row + at); });
    else
      fill([&](const float* row, std::size_t at) {
        return load_within<Isa>(row, at, job.channels);
      });
    const std::size_t left = depth - channel;
    for (std::size_t tile = 0; tile < kTiles; ++tile)
      Way::tile(board + tile / 2 * 4 * kLine + tile % 2 * 4, job.out + tile * depth + channel,
                job.wave_stride, left < Isa::kWordLanes ? left : Isa::kWordLanes);
  }
  return inverse > 0 ? 1 / inverse : 0;
}

}  // namespace
}  // namespace aleph::nets::kernels
