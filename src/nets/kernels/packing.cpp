#include "nets/kernels/packing.h"

#include <algorithm>
#include <cmath>

namespace aleph::nets::kernels {

AlignedVector<float> padded(std::span<const float> numbers, std::size_t columns) {
  AlignedVector<float> result(in_panels(columns));
  std::copy(numbers.begin(), numbers.end(), result.begin());
  return result;
}

AlignedVector<float> pack_floats(std::span<const float> weights, std::size_t columns,
                                 std::size_t depth) {
  AlignedVector<float> panels(in_panels(columns) * depth);
  for (std::size_t column = 0; column < columns; ++column) {
    float* const to = panels.data() + column / kPanel * kPanel * depth + column % kPanel;
    for (std::size_t k = 0; k < depth; ++k) to[k * kPanel] = weights[column * depth + k];
  }
  return panels;
}

namespace {

// 16 bits hold 255 * 128; rounding may add a half to each of four.
constexpr float kMostOfFour = 126;

// The largest sum of the positive, or of the negative, among four weights that meet in 16 bits.
template <class Number>
float largest_four(std::span<const Number> column) {
  float largest = 0;
  for (std::size_t group = 0; group < column.size(); group += kGroup)
    for (const std::size_t half : {group, group + 2}) {
      float positive = 0, negative = 0;
      for (const std::size_t i : {half, half + 1, half + 4, half + 5}) {
        if (i >= column.size()) continue;
        const float weight = static_cast<float>(column[i]);
        (weight > 0 ? positive : negative) += std::abs(weight);
      }
      largest = std::max({largest, positive, negative});
    }
  return largest;
}

}  // namespace

float byte_scale(std::span<const float> column) {
  float most = 0;
  for (const float weight : column) most = std::max(most, std::abs(weight));
  return std::max(most / 127, largest_four(column) / kMostOfFour);
}

PackedBytes pack_bytes(std::span<const std::int8_t> weights, std::span<const float> scales,
                       std::size_t columns, std::size_t depth) {
  const std::size_t grouped = in_groups(depth);
  PackedBytes packed{AlignedVector<std::int8_t>(in_panels(columns) * grouped),
                     padded(scales, columns), AlignedVector<float>(in_panels(columns))};
  for (std::size_t column = 0; column < columns; ++column) {
    std::int8_t* const to = packed.panels.data() + column / kPanel * kPanel * grouped;
    const std::span<const std::int8_t> row = weights.subspan(column * depth, depth);
    const float largest = largest_four(row);
    const float factor = largest > kMostOfFour + 2 ? kMostOfFour / largest : 1;
    packed.scales[column] /= factor;
    int sum = 0;
    for (std::size_t k = 0; k < depth; ++k) {
      const auto weight = static_cast<std::int8_t>(std::lround(row[k] * factor));
      to[k / 4 * 4 * kPanel + column % kPanel * 4 + k % 4] = weight;
      sum += weight;
    }
    packed.sums[column] = packed.scales[column] * static_cast<float>(sum);
  }
  return packed;
}

PackedWords pack_words(std::span<const float> weights, std::size_t columns, std::size_t depth,
                       int most_input) {
  const std::size_t grouped = in_groups(depth);
  PackedWords packed{AlignedVector<std::int16_t>(in_panels(columns) * grouped),
                     AlignedVector<float>(in_panels(columns)),
                     AlignedVector<std::int32_t>(in_panels(columns))};
  const double most_weight = 0x7FFF - most_input;
  // Rounding may add a half to each.
  const double most_sum = 0x7FFFFFFF / most_input - static_cast<double>(depth) / 2;
  for (std::size_t column = 0; column < columns; ++column) {
    const std::span<const float> row = weights.subspan(column * depth, depth);
    double most = 0, sum = 0;
    for (const float weight : row) {
      most = std::max(most, std::abs(double{weight}));
      sum += std::abs(double{weight});
    }
    if (most == 0) continue;
    const double top = std::floor(std::min(most_weight, most_sum * most / sum));
    packed.scales[column] = static_cast<float>(most / top);
    std::int16_t* const to = packed.panels.data() + column / kPanel * kPanel * grouped;
    const auto place = [&](std::size_t k) -> std::int16_t& {
      return to[k / 2 * 2 * kPanel + column % kPanel * 2 + k % 2];
    };
    for (std::size_t k = 0; k < depth; ++k)
      place(k) = static_cast<std::int16_t>(std::lround(row[k] / most * top));
    std::uint32_t term = 0;  // it may wrap
    for (std::size_t k = 0; k < grouped; k += 4)
      term += static_cast<std::uint32_t>(place(k) * place(k + 2)) +
              static_cast<std::uint32_t>(place(k + 1) * place(k + 3));
    packed.terms[column] = static_cast<std::int32_t>(term);
  }
  return packed;
}

int most_of_wave(std::size_t wave) {
  // Sums of the positive, and of the negative numbers in the lines of the matrix for inputs.
  constexpr int kPositive[6] = {5, 2, 5, 3, 3, 5}, kNegative[6] = {5, 8, 5, 3, 3, 5};
  const std::size_t i = wave / 6, j = wave % 6;
  const int same = kPositive[i] * kPositive[j] + kNegative[i] * kNegative[j];
  const int other = kPositive[i] * kNegative[j] + kNegative[i] * kPositive[j];
  return std::max(kMostSigned * (same + other), kMostUnsigned * std::max(same, other));
}

std::vector<float> winograd_weights(std::span<const float> weights, std::size_t out,
                                    std::size_t in) {
  constexpr double kMatrix[6][3] = {{1.0 / 4, 0, 0},
                                    {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                    {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                    {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                    {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                    {0, 0, 1}};
  std::vector<float> waves(kWaves * out * in);
  for (std::size_t pair = 0; pair < out * in; ++pair) {
    const float* const w = weights.data() + pair * 9;
    for (std::size_t i = 0; i < 6; ++i) {
      double line[3];  // of the matrix times the weights
      for (std::size_t x = 0; x < 3; ++x)
        line[x] = kMatrix[i][0] * w[x] + kMatrix[i][1] * w[3 + x] + kMatrix[i][2] * w[6 + x];
      for (std::size_t j = 0; j < 6; ++j) {
        const double wave =
            line[0] * kMatrix[j][0] + line[1] * kMatrix[j][1] + line[2] * kMatrix[j][2];
        waves[(i * 6 + j) * out * in + pair] = static_cast<float>(wave);
      }
    }
  }
  return waves;
}

}  // namespace aleph::nets::kernels
