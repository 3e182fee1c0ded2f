#include "nets/executor/round_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace aleph::nets {
namespace {

constexpr std::size_t kTogether = 32;  // columns that are rounded at a time

// The lower triangle C of A = CC', in its place, row by row.
void factorize(std::vector<double>& a, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) {
    double* const row = a.data() + i * width;
    for (std::size_t j = 0; j <= i; ++j) {
      const double* const other = a.data() + j * width;
      std::array<double, 8> parts{};
      std::size_t k = 0;
      for (; k + parts.size() <= j; k += parts.size())
        for (std::size_t lane = 0; lane < parts.size(); ++lane)
          parts[lane] += row[k + lane] * other[k + lane];
      double sum = row[j] - std::accumulate(parts.begin(), parts.end(), 0.0);
      for (; k < j; ++k) sum -= row[k] * other[k];
      row[j] = i == j ? std::sqrt(std::max(sum, 1e-30)) : sum / other[j];
    }
  }
}

// What four weights that meet in 16 bits have used up, for a few columns (packing.h).
class Fours {
 public:
  Fours(std::size_t width, bool counted)
      : counted_(counted), sums_(counted ? (width / 8 + 1) * 2 * kTogether : 0) {}

  int limited(std::size_t weight, std::size_t column, int whole) {
    whole = std::clamp(whole, -127, 127);
    if (!counted_) return whole;
    Sums& sums = sums_[(weight / 8 * 2 + weight / 2 % 2) * kTogether + column];
    whole = std::clamp(whole, sums.negative - kMost, kMost - sums.positive);
    (whole > 0 ? sums.positive : sums.negative) += std::abs(whole);
    return whole;
  }

 private:
  static constexpr int kMost = 128;
  struct Sums {
    int positive = 0, negative = 0;
  };
  bool counted_;
  std::vector<Sums> sums_;
};

}  // namespace

ErrorShape::ErrorShape(std::span<const double> products, std::size_t width, double damping)
    : order_(width), factors_(width * width), weights_(width) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  const auto own = [&](std::size_t i) { return products[i * width + i]; };
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return own(a) > own(b); });
  double mean = 0;
  for (std::size_t i = 0; i < width; ++i) mean += own(i) / static_cast<double>(width);
  // Backwards: what comes last is on top of the triangle, and depends on nothing.
  std::vector<double> triangle(width * width);
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      triangle[i * width + j] = products[order_[width - 1 - i] * width + order_[width - 1 - j]] +
                                (i == j ? damping * mean + 1e-12 : 0.0);
  factorize(triangle, width);
  for (std::size_t place = 0; place < width; ++place) {
    const std::size_t i = width - 1 - place;
    const double own_factor = triangle[i * width + i];
    weights_[place] = own_factor * own_factor;
    for (std::size_t before = 0; before < place; ++before)
      factors_[place * width + before] =
          static_cast<float>(triangle[(width - 1 - before) * width + i] / own_factor);
  }
}

RoundedWeights round_weights(std::span<const float> weights, std::vector<float> scales,
                             const ByteRule& rule, const ErrorShape& shape) {
  const std::size_t width = shape.width(), columns = weights.size() / width;
  const std::size_t run = rule.for_byte_products ? width : rule.run, runs = width / run;
  RoundedWeights result{std::vector<std::int8_t>(weights.size()), std::move(scales),
                        std::vector<double>(columns)};
  std::vector<float> errors(width * kTogether);  // by places
  for (std::size_t first = 0; first < columns; first += kTogether) {
    const std::size_t count = std::min(kTogether, columns - first);
    Fours fours(width, rule.for_byte_products);
    std::fill(errors.begin(), errors.end(), 0.0F);
    for (std::size_t place = 0; place < width; ++place) {
      const std::size_t weight = shape.order()[place];
      const std::span<const float> factors = shape.factors(place);
      std::array<float, kTogether> taken{};
      for (std::size_t before = 0; before < place; ++before)
        for (std::size_t i = 0; i < kTogether; ++i)
          taken[i] += factors[before] * errors[before * kTogether + i];
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = (first + i) * width + weight;
        const float scale = result.scales[(first + i) * runs + weight / run];
        const float wanted = weights[at] + taken[i];
        const int whole = scale < 1e-30F ? 0
                                         : fours.limited(weight, i,
                                                         static_cast<int>(std::lround(std::clamp(
                                                             wanted / scale, -128.0F, 128.0F))));
        result.bytes[at] = static_cast<std::int8_t>(whole);
        const float rounded = scale * static_cast<float>(whole);
        errors[place * kTogether + i] = weights[at] - rounded;
        result.errors[first + i] += shape.weight(place) * std::pow(double{wanted} - rounded, 2);
      }
    }
  }
  return result;
}

RoundedWeights round_weights_best(std::span<const float> weights, const std::vector<float>& scales,
                                  const ByteRule& rule, const ErrorShape& shape) {
  RoundedWeights best = round_weights(weights, scales, rule, shape);
  const std::size_t width = shape.width(), columns = best.errors.size();
  const std::size_t runs = scales.size() / columns;
  for (const float factor : {0.9F, 0.8F, 0.7F, 0.6F}) {
    std::vector<float> smaller = scales;
    for (float& scale : smaller) scale *= factor;
    const RoundedWeights other = round_weights(weights, std::move(smaller), rule, shape);
    for (std::size_t column = 0; column < columns; ++column) {
      if (other.errors[column] >= best.errors[column]) continue;
      best.errors[column] = other.errors[column];
      std::copy_n(other.bytes.begin() + static_cast<std::ptrdiff_t>(column * width), width,
                  best.bytes.begin() + static_cast<std::ptrdiff_t>(column * width));
      std::copy_n(other.scales.begin() + static_cast<std::ptrdiff_t>(column * runs), runs,
                  best.scales.begin() + static_cast<std::ptrdiff_t>(column * runs));
    }
  }
  return best;
}

}  // namespace aleph::nets
