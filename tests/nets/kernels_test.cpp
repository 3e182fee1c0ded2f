#include "nets/kernels/kernels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "nets/kernel_numbers.h"
#include "nets/kernels/packing.h"

namespace aleph::nets::kernels {
namespace {

double slow_product(const Floats& in, const Floats& weights, std::size_t depth, std::size_t row,
                    std::size_t column) {
  double sum = 0;
  for (std::size_t k = 0; k < depth; ++k)
    sum += double{in[row * depth + k]} * weights[column * depth + k];
  return sum;
}

struct Size {
  std::size_t rows, depth, columns;
};
const std::vector<Size> kSizes{{1, 1, 1},    {1, 3, 17},    {2, 64, 16},    {3, 65, 31},
                               {5, 7, 48},   {6, 100, 5},   {7, 33, 33},    {13, 8, 16},
                               {64, 40, 64}, {69, 72, 100}, {150, 130, 20}, {7, 1100, 32},
                               {5, 600, 20}};

TEST_CASE("products of floats, of any size, with bias, curve and residual") {
  Randoms random(1);
  for (const Kernels* const set : runnable_kernels())
    for (const auto& [rows, depth, columns] : kSizes) {
      CAPTURE(set->name);
      CAPTURE(rows);
      CAPTURE(columns);
      const Floats in = random.floats(rows * depth), weights = random.floats(columns * depth);
      const Floats bias = random.floats(columns), residual = random.floats(rows * columns);
      const AlignedVector<float> panels = pack_floats(weights, columns, depth);
      const AlignedVector<float> biases = padded(bias, columns);
      Floats out(rows * columns + 1, 77.0F);
      for (const Activation last : {Activation::None, Activation::Relu, Activation::Tanh}) {
        const Finish finish{biases.data(), Activation::Relu, residual.data(), columns, 0.5F, 2,
                            last};
        set->product(
            {in.data(), depth, depth, panels.data(), {out.data(), columns, rows, columns}, finish});
        bool good = out.back() == 77.0F;  // nothing behind the end was touched
        for (std::size_t row = 0; row < rows; ++row)
          for (std::size_t column = 0; column < columns; ++column) {
            double y = slow_product(in, weights, depth, row, column) + bias[column];
            y = 0.5 * residual[row * columns + column] + 2 * std::max(y, 0.0);
            if (last == Activation::Relu) y = std::max(y, 0.0);
            if (last == Activation::Tanh) y = std::tanh(y);
            good = good && near(out[row * columns + column], y, 3e-5);
          }
        CHECK(good);
      }
    }
}

TEST_CASE("products of bytes are exact") {
  Randoms random(2);
  for (const Kernels* const set : runnable_kernels())
    for (const auto& [rows, depth, columns] : kSizes) {
      CAPTURE(set->name);
      CAPTURE(rows);
      const std::size_t grouped = in_groups(depth);
      const std::vector<std::int8_t> weights = random.bytes(columns * depth);
      const Floats scales = random.floats(columns), in = random.floats(rows * depth, 3);
      const PackedBytes packed = pack_bytes(weights, scales, columns, depth);
      std::vector<std::uint8_t> whole(rows * grouped);
      std::vector<Rounding> roundings(rows);
      set->round_to_bytes({in.data(), depth, rows, depth}, grouped, whole.data(), roundings.data());
      Floats out(rows * columns);
      set->byte_product({whole.data(),
                         roundings.data(),
                         grouped,
                         packed.panels.data(),
                         packed.scales.data(),
                         packed.sums.data(),
                         {out.data(), columns, rows, columns},
                         {}});
      bool good = true, rounded = true;
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t k = 0; k < depth; ++k) {
          const double number =
              double{roundings[row].scale} * (whole[row * grouped + k] - roundings[row].zero);
          rounded = rounded && whole[row * grouped + k] <= kMostByte &&
                    std::abs(number - in[row * depth + k]) <= 1.01 * roundings[row].scale;
        }
        for (std::size_t column = 0; column < columns; ++column) {
          long sum = 0;
          for (std::size_t k = 0; k < depth; ++k)
            sum += (whole[row * grouped + k] - roundings[row].zero) * weights[column * depth + k];
          const double y = static_cast<double>(sum) * roundings[row].scale * scales[column];
          good = good && near(out[row * columns + column], y, 1e-4);  // of larger numbers
        }
      }
      CHECK(rounded);
      CHECK(good);
    }
}

TEST_CASE("the largest bytes do not overflow 16 bits") {
  const std::size_t depth = 72;
  const std::vector<std::int8_t> weights(depth, 127);
  const Floats in(depth, 1.0F), scale(1, 1.0F);
  const PackedBytes packed = pack_bytes(weights, scale, 1, depth);
  for (const Kernels* const set : runnable_kernels()) {
    std::vector<std::uint8_t> whole(depth);
    Rounding rounding;
    float out = 0;
    set->round_to_bytes({in.data(), depth, 1, depth}, depth, whole.data(), &rounding);
    set->byte_product({whole.data(),
                       &rounding,
                       depth,
                       packed.panels.data(),
                       packed.scales.data(),
                       packed.sums.data(),
                       {&out, 1, 1, 1},
                       {}});
    CHECK(near(out, 127.0 * depth, 0.02));
  }
}

TEST_CASE("products of words are nearly those of floats") {
  Randoms random(3);
  for (const Kernels* const set : runnable_kernels())
    for (const auto& [rows, depth, columns] : kSizes) {
      CAPTURE(set->name);
      CAPTURE(rows);
      const std::size_t grouped = in_groups(depth);
      const Floats in = random.floats(rows * depth), weights = random.floats(columns * depth);
      const PackedWords packed = pack_words(weights, columns, depth, kMostWord);
      std::vector<std::int16_t> words(rows * grouped);
      Floats scales(rows), out(rows * columns);
      std::vector<std::int32_t> terms(rows);
      set->round_to_words({in.data(), depth, rows, depth}, grouped, words.data(), scales.data());
      set->terms_of_words(words.data(), rows, grouped, terms.data());
      set->word_product({words.data(),
                         scales.data(),
                         terms.data(),
                         grouped,
                         packed.panels.data(),
                         packed.scales.data(),
                         packed.terms.data(),
                         {out.data(), columns, rows, columns},
                         {}});
      bool good = true;
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
          good = good && near(out[row * columns + column],
                              slow_product(in, weights, depth, row, column), 0.03);
      CHECK(good);
    }
}

TEST_CASE("the sets of kernels have the same words, terms and products, to the last bit") {
  Randoms random(9);
  for (const auto& [rows, depth, columns] : kSizes) {
    CAPTURE(rows);
    CAPTURE(columns);
    const std::size_t grouped = in_groups(depth);
    const Floats in = random.floats(rows * depth), weights = random.floats(columns * depth);
    const PackedWords packed = pack_words(weights, columns, depth, kMostWord);
    struct Made {
      std::vector<std::int16_t> words;
      std::vector<std::int32_t> terms;
      Floats out;
    };
    std::vector<Made> all;
    for (const Kernels* const set : runnable_kernels()) {
      Made made{std::vector<std::int16_t>(rows * grouped + 1, 7),
                std::vector<std::int32_t>(rows + 1, 7), Floats(rows * columns + 1, 7)};
      Floats scales(rows);
      set->round_to_words({in.data(), depth, rows, depth}, grouped, made.words.data(),
                          scales.data());
      set->terms_of_words(made.words.data(), rows, grouped, made.terms.data());
      set->word_product({made.words.data(),
                         scales.data(),
                         made.terms.data(),
                         grouped,
                         packed.panels.data(),
                         packed.scales.data(),
                         packed.terms.data(),
                         {made.out.data(), columns, rows, columns},
                         {}});
      all.push_back(made);
    }
    for (const Made& made : all) {
      CHECK(made.words == all.front().words);
      CHECK(made.terms == all.front().terms);
      CHECK(made.out == all.front().out);
    }
  }
}

TEST_CASE("sums of words of the largest size do not overflow") {
  for (const Kernels* const set : runnable_kernels())
    for (const std::size_t depth : {8, 256, 1024}) {
      const Floats in(depth, 1.0F), weights(depth, 1.0F);
      const PackedWords packed = pack_words(weights, 1, depth, kMostWord);
      std::vector<std::int16_t> words(depth);
      float scale = 0, out = 0;
      std::int32_t term = 0;
      set->round_to_words({in.data(), depth, 1, depth}, depth, words.data(), &scale);
      set->terms_of_words(words.data(), 1, depth, &term);
      set->word_product({words.data(),
                         &scale,
                         &term,
                         depth,
                         packed.panels.data(),
                         packed.scales.data(),
                         packed.terms.data(),
                         {&out, 1, 1, 1},
                         {}});
      CHECK(near(out, static_cast<double>(depth), 1e-5));
    }
}

TEST_CASE("curves are those of the book, from the smallest to the largest numbers") {
  const std::vector<std::pair<Activation, double (*)(double)>> curves{
      {Activation::None, [](double x) { return x; }},
      {Activation::Relu, [](double x) { return std::max(x, 0.0); }},
      {Activation::Mish,
       [](double x) { return x * std::tanh(x > 30 ? x : std::log1p(std::exp(x))); }},
      {Activation::Swish, [](double x) { return x / (1 + std::exp(-x)); }},
      {Activation::Relu2, [](double x) { return x > 0 ? x * x : 0; }},
      {Activation::Selu,
       [](double x) { return 1.05070098 * (x > 0 ? x : 1.67326324 * std::expm1(x)); }},
      {Activation::Gelu, [](double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }},
      {Activation::Tanh, [](double x) { return std::tanh(x); }},
      {Activation::Sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }}};
  Floats in;
  for (float x = -120; x < 120; x += 0.0371F) in.push_back(x);
  for (const float x : {0.0F, 1e-30F, -1e-30F, 1e-6F, -1e-6F, 0.6249F, 0.6251F, 1e6F, -1e6F})
    in.push_back(x);
  for (const Kernels* const set : runnable_kernels())
    for (const auto& [activation, curve] : curves) {
      CAPTURE(set->name);
      CAPTURE(static_cast<int>(activation));
      Finish finish;
      finish.activation = activation;
      Floats out(in.size());
      set->finish_rows({in.data(), in.size(), 1, in.size()}, finish, out.data());
      double worst = 0;
      for (std::size_t i = 0; i < in.size(); ++i) {
        const double y = curve(in[i]);
        worst = std::max(worst, std::abs(out[i] - y) / std::max(0.1, std::abs(y)));
      }
      CHECK(worst < 3e-6);
    }
}

TEST_CASE("norms, means and gates of odd widths") {
  Randoms random(4);
  for (const Kernels* const set : runnable_kernels())
    for (const std::size_t width : {1, 3, 8, 21, 64})
      for (const NormKind kind : {NormKind::LayerNorm, NormKind::RmsNorm}) {
        CAPTURE(set->name);
        CAPTURE(width);
        const std::size_t rows = 5;
        const Floats in = random.floats(rows * width, 3), gain = random.floats(width);
        const Floats shift = random.floats(width);
        Floats out(rows * width), means(width);
        set->norm(
            {{in.data(), width, rows, width}, out.data(), kind, gain.data(), shift.data(), 1e-3F});
        set->mean_rows({in.data(), width, rows, width}, means.data());
        bool good = true;
        for (std::size_t row = 0; row < rows; ++row) {
          double mean = 0, squares = 0;
          const float* const x = in.data() + row * width;
          if (kind == NormKind::LayerNorm)
            for (std::size_t i = 0; i < width; ++i) mean += x[i] / static_cast<double>(width);
          for (std::size_t i = 0; i < width; ++i)
            squares += (x[i] - mean) * (x[i] - mean) / static_cast<double>(width);
          for (std::size_t i = 0; i < width; ++i) {
            const double y = (x[i] - mean) / std::sqrt(squares + 1e-3F) * gain[i] + shift[i];
            good = good && near(out[row * width + i], y, 1e-5);
          }
        }
        for (std::size_t i = 0; i < width; ++i) {
          double mean = 0;
          for (std::size_t row = 0; row < rows; ++row) mean += in[row * width + i] / 5.0;
          good = good && near(means[i], mean, 1e-5);
        }
        CHECK(good);
      }
}

TEST_CASE("the sets of kernels agree on attention") {
  Randoms random(6);
  for (const std::size_t rows : {1, 5, 64, 69, 74})
    for (const std::size_t depth : {4, 11, 32}) {
      CAPTURE(rows);
      CAPTURE(depth);
      const std::size_t heads = 2, width = heads * depth;
      const Floats all = random.floats(rows * 3 * width, 2);
      const Floats bias = random.floats(heads * rows * rows), gain = random.floats(depth);
      std::vector<Floats> results;
      for (const Kernels* const set : runnable_kernels()) {
        Floats out(rows * width), scratch(attention_scratch(rows, depth) + 1, 5.0F);
        set->attention({all.data(), all.data() + width, all.data() + 2 * width, 3 * width,
                        3 * width, 3 * width, rows, heads, depth, bias.data(), gain.data(),
                        gain.data(), 1e-6F, out.data(), scratch.data()});
        CHECK(scratch.back() == 5.0F);
        results.push_back(out);
      }
      for (const Floats& result : results)
        for (std::size_t i = 0; i < result.size(); ++i)
          REQUIRE(near(result[i], results[0][i], 1e-5));
    }
}

}  // namespace
}  // namespace aleph::nets::kernels
