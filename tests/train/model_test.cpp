#include "train/model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "model_configs.h"
#include "nets/graph/build.h"
#include "nets/weights/random_weights.h"
#include "train/dropout.h"
#include "train/parameters.h"
#include "train/random_samples.h"

namespace aleph::train {
namespace {

using nets::Graph;

struct Moments {
  double mean = 0, deviation = 0;
};
Moments moments_of(std::span<const float> numbers) {
  Moments moments;
  const double count = static_cast<double>(numbers.size());
  for (const float number : numbers) moments.mean += number / count;
  for (const float number : numbers)
    moments.deviation += (number - moments.mean) * (number - moments.mean) / count;
  moments.deviation = std::sqrt(moments.deviation);
  return moments;
}

struct Built {
  nets::NetSpec spec;
  Graph graph = nets::build_graph(spec).take();
  FlatLayout layout{graph};
  Flat weights;

  std::span<const float> tensor(const std::string& name) const {
    for (std::size_t i = 0; i < graph.tensors.size(); ++i)
      if (graph.tensors[i].name == name)
        return std::span(weights).subspan(layout.places[i].begin, layout.places[i].size);
    FAIL("there is no tensor " << name);
    return {};
  }
  std::unique_ptr<Model> model(Model::Options options = {}) const {
    auto made = Model::make(spec, graph, layout, weights, options);
    INFO((made.ok() ? "" : made.error()));
    REQUIRE(made.ok());
    return made.take();
  }
};

// Weights by which every step matters: gains are not 1, biases not 0.
Built random_network(const nets::NetSpec& spec, std::uint64_t seed) {
  Built built{.spec = spec, .weights = {}};
  Rng rng(seed);
  built.weights = flat_of(built.graph, built.layout, nets::random_weights(built.graph, rng));
  return built;
}

TEST_CASE("networks have as many parameters as the seeds say") {
  const auto parameters = [](const char* name) {
    return nets::build_graph(test::model_named(name)).take().parameters();
  };
  CHECK(parameters("policy-cnn") == 17'753'096);
  CHECK(parameters("policy-transformer") == 18'963'970);
  for (const std::string& name : test::model_names()) {
    INFO(name);
    const Graph graph = nets::build_graph(test::model_named(name)).take();
    const FlatLayout layout(graph);
    std::size_t learned = 0;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
      CHECK(layout.places[i].begin % 16 == 0);
      CHECK((layout.places[i].begin < layout.learned) == graph.tensors[i].is_parameter);
      if (graph.tensors[i].is_parameter) learned += layout.places[i].size;
    }
    CHECK(learned == graph.parameters());
  }
}

TEST_CASE("a resnet begins as He says") {
  Built built{.spec = test::model_named("policy-cnn-small"), .weights = {}};
  built.weights = initial_weights(built.graph, built.layout, 1);
  const Moments conv = moments_of(built.tensor("trunk.block.2.conv1.weight"));
  CHECK(std::abs(conv.mean) < 2e-3);
  CHECK(conv.deviation == doctest::Approx(std::sqrt(2.0 / (64 * 9))).epsilon(0.02));
  // 1x1 convolutions in front of a batch norm, with two channels.
  CHECK(moments_of(built.tensor("head.fromto.from.weight")).deviation ==
        doctest::Approx(1).epsilon(0.3));
  for (const float gain : built.tensor("trunk.block.0.norm1.weight")) CHECK(gain == 1);
  for (const float mean : built.tensor("trunk.block.0.norm1.mean")) CHECK(mean == 0);
  for (const float variance : built.tensor("trunk.block.0.norm1.variance")) CHECK(variance == 1);
}

TEST_CASE("a transformer begins as Xavier and the tables of seed 002 say") {
  Built built{.spec = test::model_named("policy-transformer-small"), .weights = {}};
  built.weights = initial_weights(built.graph, built.layout, 1);
  const auto matrix = built.tensor("trunk.layer.1.feed_forward.linear1.weight");
  const double limit = std::sqrt(6.0 / (128 + 512));
  for (const float number : matrix) CHECK(std::abs(number) <= limit);
  CHECK(moments_of(matrix).deviation == doctest::Approx(limit / std::sqrt(3.0)).epsilon(0.02));
  for (const char* const table : {"embedding.square.weight", "embedding.position.weight"})
    CHECK(moments_of(built.tensor(table)).deviation ==
          doctest::Approx(std::pow(128, -0.5)).epsilon(0.06));
  for (const float bias : built.tensor("trunk.layer.1.feed_forward.linear1.bias")) CHECK(bias == 0);
  CHECK(initial_weights(built.graph, built.layout, 1) == built.weights);
  CHECK(initial_weights(built.graph, built.layout, 2) != built.weights);
}

TEST_CASE("tensors go into a flat array and out of it again") {
  const Built built = random_network(test::tiny_resnet(), 5);
  const nets::Tensors tensors = tensors_of(built.graph, built.layout, built.weights);
  CHECK(tensors.size() == built.graph.tensors.size());
  CHECK(flat_of(built.graph, built.layout, tensors) == built.weights);
}

TEST_CASE("only matrices decay") {
  const Built built = random_network(test::model_named("human-small"), 5);
  std::size_t numbers = 0;
  for (const FlatLayout::Place& place : decaying_places(built.graph, built.layout))
    numbers += place.size;
  std::size_t expected = 0;
  for (const nets::TensorSpec& tensor : built.graph.tensors)
    if (tensor.shape.size() > 1 && tensor.name != "embedding.position.weight")
      expected += tensor.size();
  CHECK(numbers == expected);
}

// The slope in a random direction, from answers alone, against the gradient.
void check_gradient(const nets::NetSpec& spec) {
  Built built = random_network(spec, 7);
  const Samples samples = random_samples(spec, 3, 9).take();
  const Rows rows{0, samples.size};
  const auto model = built.model();
  Answers answers;
  model->forward(samples, rows, 11, answers);
  // The sum of all answers, each with a factor.
  Rng rng(13);
  Answers factors = answers;
  for (auto& output : factors)
    for (float& factor : output) factor = static_cast<float>(rng.uniform() - 0.5);
  model->backward(factors);
  const auto sum = [&] {
    Answers here;
    model->forward(samples, rows, 11, here);
    double total = 0;
    for (std::size_t i = 0; i < here.size(); ++i)
      for (std::size_t k = 0; k < here[i].size(); ++k) total += double{here[i][k]} * factors[i][k];
    return total;
  };
  const Flat gradient(model->gradient().begin(), model->gradient().end());
  const Flat before = built.weights;
  for (std::size_t i = 0; i < built.graph.tensors.size(); ++i) {
    if (!built.graph.tensors[i].is_parameter) continue;
    const FlatLayout::Place place = built.layout.places[i];
    double slope = 0, norm = 0;
    std::vector<float> direction(place.size);
    for (std::size_t k = 0; k < place.size; ++k) {
      direction[k] = gradient[place.begin + k];
      norm += double{direction[k]} * direction[k];
    }
    norm = std::sqrt(norm);
    if (norm < 1e-4) continue;  // a bias in front of a norm
    const auto value_at = [&](double step) {
      for (std::size_t k = 0; k < place.size; ++k)
        built.weights[place.begin + k] =
            before[place.begin + k] + static_cast<float>(step * direction[k] / norm);
      const double value = sum();
      std::copy(before.begin(), before.end(), built.weights.begin());
      return value;
    };
    constexpr double kStep = 2e-3;
    slope = (value_at(kStep) - value_at(-kStep)) / (2 * kStep);
    INFO(spec.name << ": " << built.graph.tensors[i].name);
    CHECK(slope == doctest::Approx(norm).epsilon(0.05));
  }
}

TEST_CASE("gradients are the slopes of answers") {
  check_gradient(test::tiny_transformer());
  nets::NetSpec spec = test::tiny_transformer();
  auto& trunk = std::get<nets::TransformerSpec>(spec.trunk);
  trunk.norm = nets::NormKind::RmsNorm;
  trunk.qk_norm = trunk.relative_bias = true;
  trunk.activation = nets::Activation::Mish;
  trunk.dropout = 0.2;
  trunk.smolgen = nets::SmolgenSpec{.compressed = 2, .hidden = 8, .generated = 4};
  spec.name = "tiny-transformer with all that there is";
  check_gradient(spec);
}

TEST_CASE("batch norms use the batch while learning, and leave its mean and variance") {
  Built built = random_network(test::tiny_resnet(), 3);
  const Samples samples = random_samples(built.spec, 4, 1).take();
  const auto model = built.model();
  Answers learning, answering;
  model->forward(samples, {0, 4}, 0, learning);
  const std::span<const float> left = model->gradient().subspan(built.layout.learned);
  CHECK(left.size() == built.weights.size() - built.layout.learned);
  // With the averages that were left (the variance biased again), answers are the same.
  std::copy(left.begin(), left.end(),
            built.weights.begin() + static_cast<std::ptrdiff_t>(built.layout.learned));
  for (std::size_t i = 0; i < built.graph.tensors.size(); ++i)
    if (built.graph.tensors[i].name.ends_with(".variance"))
      for (std::size_t k = 0; k < built.layout.places[i].size; ++k)
        built.weights[built.layout.places[i].begin + k] *= 255.0F / 256;
  model->evaluate(samples, {0, 4}, answering);
  for (std::size_t i = 0; i < learning.size(); ++i)
    for (std::size_t k = 0; k < learning[i].size(); ++k)
      CHECK(learning[i][k] == doctest::Approx(answering[i][k]).epsilon(1e-3));
}

TEST_CASE("dropout leaves out its share, the same for the same key, and none in answers") {
  std::vector<float> factors(100'000), again(100'000);
  fill_dropout(factors, 0.1, 42);
  fill_dropout(again, 0.1, 42);
  CHECK(factors == again);
  const auto zeros = std::count(factors.begin(), factors.end(), 0.0F);
  CHECK(zeros > 9'500);
  CHECK(zeros < 10'500);
  CHECK(*std::max_element(factors.begin(), factors.end()) == doctest::Approx(1 / 0.9));
  fill_dropout(again, 0.1, 43);
  std::ptrdiff_t both = 0;
  for (std::size_t i = 0; i < factors.size(); ++i) both += factors[i] == 0 && again[i] == 0;
  CHECK(both > 850);
  CHECK(both < 1150);

  const Built built = random_network(test::model_named("policy-transformer-small"), 1);
  const Samples samples = random_samples(built.spec, 2, 1).take();
  const auto model = built.model();
  Answers first, second, third;
  model->forward(samples, {0, 2}, 1, first);
  model->forward(samples, {0, 2}, 1, second);
  CHECK(first == second);
  model->forward(samples, {0, 2}, 2, third);
  CHECK(first != third);
  model->evaluate(samples, {0, 2}, first);
  model->evaluate(samples, {0, 2}, second);
  CHECK(first == second);
}

TEST_CASE("dropout is where seed 002 has it") {
  const auto counted = [](const char* name) {
    const nets::NetSpec spec = test::model_named(name);
    const DropoutPlan plan = dropout_plan(spec, nets::build_graph(spec).take());
    CHECK(plan.share == doctest::Approx(0.1));
    return std::count(plan.steps.begin(), plan.steps.end(), true);
  };
  CHECK(counted("policy-cnn-small") == 6);  // one in each block
  // The embedding; shares, hidden numbers and two residuals in each layer.
  CHECK(counted("policy-transformer-small") == 1 + 4 * 4);
}

TEST_CASE("bf16 answers are those of fp32, a little coarser") {
  const Built built = random_network(test::tiny_transformer(), 2);
  const Samples samples = random_samples(built.spec, 2, 1).take();
  Answers exact, coarse;
  built.model()->evaluate(samples, {0, 2}, exact);
  built.model({.bf16 = true})->evaluate(samples, {0, 2}, coarse);
  double most = 0, difference = 0;
  for (std::size_t k = 0; k < exact[0].size(); ++k) {
    most = std::max(most, std::abs(double{exact[0][k]}));
    difference = std::max(difference, std::abs(double{exact[0][k]} - coarse[0][k]));
  }
  CHECK(difference > 0);
  CHECK(difference < 0.05 * most + 0.02);
}

}  // namespace
}  // namespace aleph::train
