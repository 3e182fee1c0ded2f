#include "nets/executor/round_weights.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "nets/executor/calibration.h"
#include "nets/executor/quantize.h"
#include "nets/hand_graph.h"
#include "nets/kernels/packing.h"

namespace aleph::nets {
namespace {

// A layer whose inputs are mixtures of a few numbers, and a little of their own.
struct Problem {
  std::size_t width, columns;
  std::vector<float> weights, inputs;  // [columns][width], [rows][width]
  std::vector<double> products;

  Problem(std::uint64_t seed, std::size_t inputs_wide, std::size_t outputs, std::size_t rows = 400)
      : width(inputs_wide), columns(outputs) {
    HandGraph random(seed);
    weights = random.randoms(columns * width);
    const std::size_t causes = width / 4;
    const std::vector<float> mixture = random.randoms(width * causes);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::vector<float> cause = random.randoms(causes);
      for (std::size_t i = 0; i < width; ++i) {
        float number = 0.2F * random.random();
        for (std::size_t k = 0; k < causes; ++k) number += mixture[i * causes + k] * cause[k];
        inputs.push_back(number);
      }
    }
    products.resize(width * width);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t i = 0; i < width; ++i)
        for (std::size_t k = 0; k < width; ++k)
          products[i * width + k] +=
              double{inputs[row * width + i]} * inputs[row * width + k] / static_cast<double>(rows);
  }

  std::vector<float> scales(const ByteRule& rule) const {
    std::vector<float> scales;
    for (std::size_t first = 0; first < weights.size(); first += rule.run) {
      const auto part = std::span(weights).subspan(first, rule.run);
      float most = 0;
      for (const float weight : part) most = std::max(most, std::abs(weight));
      scales.push_back(rule.for_byte_products ? kernels::byte_scale(part) : most / 127);
    }
    return scales;
  }
  // The mean square of what an output is wrong by, input by input.
  double error(const RoundedWeights& rounded, std::size_t column) const {
    const std::size_t run = rounded.bytes.size() / rounded.scales.size();
    double squares = 0;
    const std::size_t rows = inputs.size() / width;
    for (std::size_t row = 0; row < rows; ++row) {
      double wrong = 0;
      for (std::size_t i = 0; i < width; ++i) {
        const std::size_t at = column * width + i;
        wrong += (double{weights[at]} - double{rounded.scales[at / run]} * rounded.bytes[at]) *
                 inputs[row * width + i];
      }
      squares += wrong * wrong;
    }
    return squares / static_cast<double>(rows);
  }
  double error(const RoundedWeights& rounded) const {
    double sum = 0;
    for (std::size_t column = 0; column < columns; ++column) sum += error(rounded, column);
    return sum;
  }
  // Each weight to the nearest byte.
  RoundedWeights nearest(const ByteRule& rule) const {
    RoundedWeights rounded{{}, scales(rule), {}};
    for (std::size_t i = 0; i < weights.size(); ++i)
      rounded.bytes.push_back(
          static_cast<std::int8_t>(std::lround(weights[i] / rounded.scales[i / rule.run])));
    return rounded;
  }
};

TEST_CASE("weights that make up for each other beat the nearest bytes") {
  for (const bool bytes : {false, true})
    for (std::uint64_t seed = 1; seed < 5; ++seed) {
      const Problem problem(seed, 64, 40);
      const ByteRule rule{bytes ? 64U : 32U, bytes};
      const ErrorShape shape(problem.products, problem.width);
      const auto rounded = round_weights(problem.weights, problem.scales(rule), rule, shape);
      const auto best = round_weights_best(problem.weights, problem.scales(rule), rule, shape);
      CHECK(problem.error(rounded) < 0.5 * problem.error(problem.nearest(rule)));
      CHECK(problem.error(best) < 1.05 * problem.error(rounded));  // damping is no part of it
    }
}

TEST_CASE("the error it tells is that of the layer") {
  const Problem problem(6, 48, 33);
  const ByteRule rule{24, false};
  const ErrorShape shape(problem.products, problem.width, 0);
  const auto rounded = round_weights_best(problem.weights, problem.scales(rule), rule, shape);
  for (std::size_t column = 0; column < problem.columns; ++column)
    CHECK(rounded.errors[column] == doctest::Approx(problem.error(rounded, column)).epsilon(0.02));
}

TEST_CASE("rounding is the same every time, and for each output alone") {
  const Problem problem(7, 32, 35);
  const ByteRule rule{32, true};
  const ErrorShape shape(problem.products, problem.width);
  const std::vector<float> scales = problem.scales(rule);
  const auto all = round_weights_best(problem.weights, scales, rule, shape);
  CHECK(all.bytes == round_weights_best(problem.weights, scales, rule, shape).bytes);
  const auto last = round_weights_best(std::span(problem.weights).last(32), {scales.back()}, rule,
                                       ErrorShape(problem.products, problem.width));
  CHECK(std::equal(last.bytes.begin(), last.bytes.end(), all.bytes.end() - 32));
  CHECK(last.scales.front() == all.scales.back());
}

TEST_CASE("inputs that have nothing to do with each other leave the nearest bytes") {
  const Problem problem(8, 24, 5);
  std::vector<double> apart(24 * 24);
  for (std::size_t i = 0; i < 24; ++i) apart[i * 24 + i] = 1 + static_cast<double>(i);
  const ByteRule rule{24, false};
  const auto rounded =
      round_weights(problem.weights, problem.scales(rule), rule, ErrorShape(apart, problem.width));
  CHECK(rounded.bytes == problem.nearest(rule).bytes);
}

TEST_CASE("sums of four keep within 16 bits, however small the scale") {
  const Problem problem(9, 40, 64);
  const ByteRule rule{40, true};
  std::vector<float> scales = problem.scales(rule);
  for (float& scale : scales) scale *= 0.4F;
  const auto rounded =
      round_weights(problem.weights, scales, rule, ErrorShape(problem.products, problem.width));
  const auto packed = kernels::pack_bytes(rounded.bytes, rounded.scales, 64, 40);
  for (std::size_t i = 0; i < 64; ++i) CHECK(packed.scales[i] == rounded.scales[i]);  // as it is
}

TEST_CASE("inputs that never move and weights of nothing do no harm") {
  const std::vector<double> nothing(16 * 16);
  std::vector<float> weights(2 * 16, 0.5F);
  std::fill(weights.begin(), weights.begin() + 16, 0.0F);
  const auto rounded =
      round_weights_best(weights, {0, 0.5F / 127}, {16, false}, ErrorShape(nothing, 16));
  for (std::size_t i = 0; i < 16; ++i) {
    CHECK(rounded.bytes[i] == 0);
    CHECK(rounded.scales[1] * rounded.bytes[16 + i] == doctest::Approx(0.5));
  }
}

TEST_CASE("moments are those of the rows") {
  const Problem problem(10, 20, 1, 37);
  Moments whole(20), parts(20), second(20);
  const kernels::Kernels& kernels = kernels::best_kernels();
  whole.add(kernels, {problem.inputs.data(), 20, 37, 20});
  parts.add(kernels, {problem.inputs.data(), 20, 30, 20});
  second.add(kernels, {problem.inputs.data() + 600, 20, 7, 20});
  parts.add(second);
  const std::vector<double> products = whole.products(false), centred = whole.products(true);
  const std::vector<double> means = whole.means(), sums = parts.products(false);
  CHECK(parts.rows() == 37);
  CHECK(parts.byte_noise() == doctest::Approx(whole.byte_noise()));
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t k = 0; k < 20; ++k) {
      const std::size_t at = i * 20 + k;
      CHECK(products[at] == doctest::Approx(problem.products[at]).epsilon(1e-4));
      CHECK(sums[at] == doctest::Approx(products[at]).epsilon(1e-4));
      CHECK(centred[at] == doctest::Approx(products[at] - means[i] * means[k]).epsilon(1e-4));
    }
}

// The weights of the one layer that is rounded, a head, are tensor2.
TEST_CASE("a calibrated network is nearer to fp32, and the same every time") {
  constexpr std::size_t kPositions = 12;
  HandGraph g(11);
  g.output(g.linear(g.linear(g.planes(24), 64, Activation::Tanh), 70));
  const std::vector<float> planes = g.randoms(kPositions * 64 * 24);
  const auto run = [&](const Tensors& tensors, Precision precision) {
    const Network network = Network::make(g.graph, tensors, precision).take();
    std::vector<float> out(kPositions * 64 * 70);
    const std::vector<std::span<float>> spans{out};
    network.run(*network.workspace(4), kPositions, {planes, {}, {}}, spans);
    return out;
  };
  const std::vector<float> exact = run(g.tensors, Precision::Fp32);
  const auto noise = [&](const Tensors& tensors) {
    const std::vector<float> rounded = run(tensors, Precision::Int8);
    double squares = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
      squares += std::pow(double{exact[i]} - rounded[i], 2);
    return squares;
  };
  const auto calibrated = [&] {
    const auto calibration = Calibration::make(g.graph, g.tensors, kPositions, {planes, {}, {}});
    return quantize(g.graph, g.tensors, &calibration.value());
  };
  const Tensors tensors = calibrated();
  CHECK(tensors == calibrated());
  CHECK(tensors.at("tensor2").is_int8());
  CHECK(tensors.at("tensor3").numbers != g.tensors.at("tensor3").numbers);  // the bias
  CHECK(noise(tensors) < 0.7 * noise(quantize(g.graph, g.tensors)));
}

// tensor4: the weights behind the first norm, whose gain is tensor2.
TEST_CASE("bytes are used behind a norm if they suffice") {
  for (const float outlier : {1.0F, 300.0F}) {
    constexpr std::size_t kPositions = 8;
    HandGraph g(12);
    const ValueId x = g.norm(g.linear(g.planes(24), 192, Activation::Tanh));
    std::vector<float>& gain = g.tensors.at("tensor2").numbers;
    std::fill(gain.begin(), gain.end(), 1.0F);
    gain[5] = outlier;
    g.output(g.linear(g.attention(g.linear(x, 192), 4), 70));
    const std::vector<float> planes = g.randoms(kPositions * 64 * 24);
    const auto calibration = Calibration::make(g.graph, g.tensors, kPositions, {planes, {}, {}});
    const auto scales = [](const Tensors& tensors) {
      return tensors.at("tensor4").scales.size() / 192;
    };
    CHECK(scales(quantize(g.graph, g.tensors)) == 3U);
    CHECK(scales(quantize(g.graph, g.tensors, &calibration.value())) == (outlier > 1 ? 3U : 1U));
  }
}

}  // namespace
}  // namespace aleph::nets
