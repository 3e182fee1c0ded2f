#include <doctest/doctest.h>

#include "nets/kernel_numbers.h"
#include "nets/kernels/kernels.h"
#include "nets/kernels/packing.h"

namespace aleph::nets::kernels {
namespace {

double slow_convolution(const Floats& board, const Floats& weights, std::size_t in, int square,
                        std::size_t out) {
  double sum = 0;
  for (int i = 0; i < 9; ++i) {
    const int rank = square / 8 + i / 3 - 1, file = square % 8 + i % 3 - 1;
    if (rank < 0 || rank > 7 || file < 0 || file > 7) continue;
    for (std::size_t k = 0; k < in; ++k)
      sum += double{weights[(out * in + k) * 9 + static_cast<std::size_t>(i)]} *
             board[static_cast<std::size_t>(rank * 8 + file) * in + k];
  }
  return sum;
}

TEST_CASE("Winograd's way gives the convolution") {
  Randoms random(5);
  for (const Kernels* const set : runnable_kernels())
    for (const auto& [in, out] : {std::pair<std::size_t, std::size_t>{1, 1}, {3, 17}, {20, 33}}) {
      CAPTURE(set->name);
      CAPTURE(in);
      const Floats board = random.floats(64 * in), weights = random.floats(out * in * 9);
      const Floats waves = winograd_weights(weights, out, in);
      Floats waves_in(kWaves * kTiles * in), waves_out(kWaves * kTiles * out), result(64 * out);
      set->winograd_in({board.data(), in, waves_in.data(), kTiles * in});
      for (std::size_t wave = 0; wave < kWaves; ++wave) {
        const AlignedVector<float> panels =
            pack_floats(std::span(waves).subspan(wave * out * in, out * in), out, in);
        set->product({waves_in.data() + wave * kTiles * in,
                      in,
                      in,
                      panels.data(),
                      {waves_out.data() + wave * kTiles * out, out, kTiles, out},
                      {}});
      }
      set->winograd_out({waves_out.data(), kTiles * out, {result.data(), out, 64, out}, {}});
      bool good = true;
      for (int square = 0; square < 64; ++square)
        for (std::size_t o = 0; o < out; ++o) {
          const double sum = slow_convolution(board, weights, in, square, o);
          good = good && near(result[static_cast<std::size_t>(square) * out + o], sum, 5e-5);
        }
      CHECK(good);
    }
}

constexpr int kWinogradMatrix[6][6] = {{4, 0, -5, 0, 1, 0},  {0, -4, -4, 1, 1, 0},
                                       {0, 4, -4, -1, 1, 0}, {0, -2, -1, 2, 1, 0},
                                       {0, 2, -1, -2, 1, 0}, {0, 4, 0, -5, 0, 1}};

// One number of one wave of a board of whole numbers.
int slow_wave(const std::vector<int>& board, std::size_t wave, std::size_t tile) {
  int sum = 0;
  for (int i = 0; i < 36; ++i) {
    const int rank = (tile / 2 == 0 ? -1 : 3) + i / 6, file = (tile % 2 == 0 ? -1 : 3) + i % 6;
    if (rank < 0 || rank > 7 || file < 0 || file > 7) continue;
    sum += kWinogradMatrix[wave / 6][i / 6] * kWinogradMatrix[wave % 6][i % 6] *
           board[static_cast<std::size_t>(rank * 8 + file)];
  }
  return sum;
}

TEST_CASE("waves of words are those of the rounded board") {
  Randoms random(7);
  for (const Kernels* const set : runnable_kernels())
    for (const std::size_t channels : {1, 8, 20, 33})
      for (const bool negative : {false, true}) {
        CAPTURE(set->name);
        CAPTURE(channels);
        Floats board = random.floats(64 * channels, 5);
        if (!negative)
          for (float& number : board) number = std::abs(number);
        float most = 0;
        for (const float number : board) most = std::max(most, std::abs(number));
        const float inverse = static_cast<float>(negative ? kMostSigned : kMostUnsigned) / most;
        const std::size_t depth = in_groups(channels), stride = kTiles * depth + 3;
        std::vector<std::int16_t> waves(kWaves * stride, 7);
        const float scale =
            set->winograd_words_in({board.data(), channels, waves.data(), stride, false});
        CHECK(near(scale * inverse, 1, 1e-6));
        bool good = true;
        for (std::size_t channel = 0; channel < depth; ++channel) {
          std::vector<int> whole(64);
          for (std::size_t square = 0; square < 64 && channel < channels; ++square)
            whole[square] =
                static_cast<int>(std::nearbyint(board[square * channels + channel] * inverse));
          for (std::size_t wave = 0; wave < kWaves; ++wave)
            for (std::size_t tile = 0; tile < kTiles; ++tile)
              good = good &&
                     waves[wave * stride + tile * depth + channel] == slow_wave(whole, wave, tile);
        }
        for (std::size_t wave = 0; wave < kWaves; ++wave)  // nothing between waves was touched
          for (std::size_t i = kTiles * depth; i < stride; ++i)
            good = good && waves[wave * stride + i] == 7;
        CHECK(good);
      }
}

// A convolution by words, all the way.
Floats convolve_by_words(const Kernels& set, const Floats& board, const Floats& weights,
                         std::size_t in, std::size_t out, bool keep_integers) {
  const std::size_t depth = in_groups(in);
  const Floats waves = winograd_weights(weights, out, in);
  std::vector<std::int16_t> waves_in(kWaves * kTiles * depth);
  Floats waves_out(kWaves * kTiles * out), result(64 * out);
  const float scale =
      set.winograd_words_in({board.data(), in, waves_in.data(), kTiles * depth, keep_integers});
  const Floats scales(kTiles, scale);
  std::vector<std::int32_t> terms(kWaves * kTiles);
  set.terms_of_words(waves_in.data(), kWaves * kTiles, depth, terms.data());
  for (std::size_t wave = 0; wave < kWaves; ++wave) {
    const PackedWords packed = pack_words(std::span(waves).subspan(wave * out * in, out * in), out,
                                          in, most_of_wave(wave));
    set.word_product({waves_in.data() + wave * kTiles * depth,
                      scales.data(),
                      terms.data() + wave * kTiles,
                      depth,
                      packed.panels.data(),
                      packed.scales.data(),
                      packed.terms.data(),
                      {waves_out.data() + wave * kTiles * out, out, kTiles, out},
                      {}});
  }
  set.winograd_out({waves_out.data(), kTiles * out, {result.data(), out, 64, out}, {}});
  return result;
}

TEST_CASE("convolutions by words are nearly exact, and exact for whole numbers of inputs") {
  Randoms random(8);
  const std::size_t in = 36, out = 17;
  for (const Kernels* const set : runnable_kernels())
    for (const bool planes : {false, true}) {
      CAPTURE(set->name);
      CAPTURE(planes);
      Floats board = random.floats(64 * in);
      if (planes)  // ones and zeros, and a count
        for (std::size_t i = 0; i < board.size(); ++i)
          board[i] = i % in == 5 ? 37.0F : board[i] > 0 ? 1.0F : 0.0F;
      const Floats weights = random.floats(out * in * 9);
      const Floats result = convolve_by_words(*set, board, weights, in, out, planes);
      double squares = 0, gaps = 0;
      for (int square = 0; square < 64; ++square)
        for (std::size_t o = 0; o < out; ++o) {
          const double y = slow_convolution(board, weights, in, square, o);
          squares += y * y;
          gaps += std::pow(y - result[static_cast<std::size_t>(square) * out + o], 2);
        }
      CHECK(std::sqrt(gaps / squares) < 0.004);
    }
}

// Boards that make each wave as large as it can be, and weights that add all of it up.
TEST_CASE("the largest waves do not overflow") {
  const std::size_t in = 64;
  for (const Kernels* const set : runnable_kernels())
    for (std::size_t wave = 0; wave < kWaves; ++wave)
      for (const int way : {0, 1, 2}) {
        CAPTURE(set->name);
        CAPTURE(wave);
        CAPTURE(way);
        Floats board(64 * in);
        for (std::size_t square = 0; square < 64; ++square) {
          const std::size_t rank = square / 8 + 1, file = square % 8 + 1;  // in the first tile
          const bool inside = rank < 6 && file < 6;
          const int factor =
              inside ? kWinogradMatrix[wave / 6][rank] * kWinogradMatrix[wave % 6][file] : 0;
          const float number = way == 0 ? (factor > 0 ? 1.0F : -1.0F)
                                        : ((way == 1 ? factor > 0 : factor < 0) ? 1.0F : 0.0F);
          for (std::size_t k = 0; k < in; ++k) board[square * in + k] = number;
        }
        const Floats weights(in * 9, 1.0F);
        const Floats result = convolve_by_words(*set, board, weights, in, 1, false);
        bool good = true;
        for (int square = 0; square < 64; ++square)
          good = good && std::abs(result[static_cast<std::size_t>(square)] -
                                  slow_convolution(board, weights, in, square, 0)) < 4;
        CHECK(good);
      }
}

}  // namespace
}  // namespace aleph::nets::kernels
