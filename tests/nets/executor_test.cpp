#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>

#include "nets/executor/network.h"
#include "nets/executor/quantize.h"
#include "nets/hand_graph.h"
#include "nets/kernels/kernels.h"

namespace {
std::atomic<long> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  if (void* const memory = std::aligned_alloc(alignment, whole == 0 ? alignment : whole))
    return memory;
  throw std::bad_alloc();
}
}  // namespace

// For the test that nothing is allocated while a network runs.
void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace aleph::nets {
namespace {

using Outputs = std::vector<std::vector<float>>;

struct Batch {
  std::vector<float> planes, context;
  std::vector<std::int16_t> tokens;
  std::size_t positions;

  Network::Inputs all() const { return {planes, tokens, context}; }
  Network::Inputs one(std::size_t i) const {
    const auto part = [&](auto numbers) {
      const std::size_t size = numbers.size() / positions;
      return numbers.subspan(i * size, size);
    };
    return {part(std::span<const float>(planes)), part(std::span<const std::int16_t>(tokens)),
            part(std::span<const float>(context))};
  }
};

// Tokens are below ten.
Batch batch_for(HandGraph& made, std::size_t positions) {
  Batch batch{{}, {}, {}, positions};
  for (const Step& step : made.graph.steps)
    if (const auto* const input = std::get_if<step::Input>(&step)) {
      const std::vector<float> numbers = made.randoms(positions * input->shape.size());
      if (input->kind == step::Input::Kind::Planes) batch.planes = numbers;
      if (input->kind == step::Input::Kind::Context) batch.context = numbers;
      if (input->kind == step::Input::Kind::Tokens)
        for (const float number : numbers)
          batch.tokens.push_back(static_cast<std::int16_t>((number + 1) * 4.9F));
    }
  return batch;
}

Outputs run(const Network& network, const Batch& batch, std::size_t most_positions) {
  const auto workspace = network.workspace(most_positions);
  Outputs outputs;
  for (const Graph::Output& output : network.graph().outputs)
    outputs.emplace_back(batch.positions *
                         network.graph().shapes[static_cast<std::size_t>(output.value)].size());
  const std::vector<std::span<float>> spans(outputs.begin(), outputs.end());
  network.run(*workspace, batch.positions, batch.all(), spans);
  return outputs;
}

Outputs by_the_book(const HandGraph& made, const Batch& batch) {
  Outputs outputs(made.graph.outputs.size());
  for (std::size_t i = 0; i < batch.positions; ++i) {
    const Outputs one = run_by_the_book(made.graph, made.tensors, batch.one(i));
    for (std::size_t k = 0; k < one.size(); ++k)
      outputs[k].insert(outputs[k].end(), one[k].begin(), one[k].end());
  }
  return outputs;
}

// The largest difference, in units of one or of the number, whichever is larger.
double distance(const Outputs& a, const Outputs& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    REQUIRE(a[k].size() == b[k].size());
    for (std::size_t i = 0; i < a[k].size(); ++i) {
      const double gap =
          std::abs(double{a[k][i]} - b[k][i]) / std::max(1.0, std::abs(double{b[k][i]}));
      most = gap <= most ? most : gap;  // a gap that is no number counts, too
      if (std::isnan(gap)) return gap;
    }
  }
  return most;
}

// How far apart they are on the whole: the root of the mean square over that of the numbers.
double noise(const Outputs& a, const Outputs& b) {
  double squares = 0, size = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < a[k].size(); ++i) {
      squares += std::pow(double{a[k][i]} - b[k][i], 2);
      size += std::pow(double{b[k][i]}, 2);
    }
  return std::sqrt(squares / size);
}

struct Tolerance {
  double distance = 2e-5, noise = 0.05;
};

void check_all_ways(const std::function<void(HandGraph&)>& make, std::uint64_t seed,
                    Tolerance tolerance = {}) {
  HandGraph made(seed);
  make(made);
  for (const kernels::Kernels* const set : kernels::runnable_kernels())
    for (const std::size_t positions : {1, 2, 3, 16, 17}) {
      CAPTURE(seed);
      CAPTURE(set->name);
      CAPTURE(positions);
      const Batch batch = batch_for(made, positions);
      const Outputs expected = by_the_book(made, batch);
      const auto floats = Network::make(made.graph, made.tensors, Precision::Fp32, set);
      REQUIRE(floats.ok());
      CHECK(distance(run(floats.value(), batch, positions), expected) < tolerance.distance);
      CHECK(distance(run(floats.value(), batch, 2), expected) < tolerance.distance);
      const auto whole = Network::make(made.graph, made.tensors, Precision::Int8, set);
      REQUIRE(whole.ok());
      CHECK(noise(run(whole.value(), batch, positions), expected) < tolerance.noise);
    }
}

TEST_CASE("linear layers of odd sizes, with every activation") {
  const auto make = [](Activation activation, int in, int out, int rows) {
    return [=](HandGraph& g) {
      const ValueId x = g.planes(in, rows);
      g.output(g.linear(x, out, activation));
      g.output(g.add(step::Activate{x, activation}, rows, in));
      const ValueId y = g.linear(x, out, activation, false);
      g.output(g.sum(g.linear(y, out, activation), y, 0.5F, Activation::Relu));
      g.output(g.sum(y, g.linear(y, out), 0.25F));
    };
  };
  std::uint64_t seed = 1;
  for (const Activation activation :
       {Activation::None, Activation::Relu, Activation::Mish, Activation::Swish, Activation::Relu2,
        Activation::Selu, Activation::Gelu, Activation::Tanh, Activation::Sigmoid}) {
    check_all_ways(make(activation, 7, 3, 5), seed++);
    check_all_ways(make(activation, 66, 33, 7), seed++);
  }
  check_all_ways(make(Activation::Relu, 130, 47, 1), seed++);
}

TEST_CASE("convolutions with batch norms, residuals, squeeze and excitation") {
  for (const int channels : {5, 8, 19, 64})
    check_all_ways(
        [=](HandGraph& g) {
          const ValueId planes = g.planes(channels == 5 ? 3 : 18);
          ValueId x = g.batch_norm(g.convolution(planes, channels, 3, Activation::None, false),
                                   Activation::Relu);
          ValueId y = g.batch_norm(g.convolution(x, channels, 3), Activation::Relu);
          y = g.batch_norm(g.convolution(y, channels, 3));
          x = g.sum(y, x, 1, Activation::Relu);
          y = g.convolution(g.convolution(x, channels, 3, Activation::Mish), channels, 3);
          x = g.squeeze_excite(y, x, 9);
          g.output(x);
          const ValueId policy = g.convolution(x, 33, 1, Activation::Relu);
          const ValueId turned = g.add(step::Transpose{policy}, 33, 64);
          const ValueId flat = g.add(step::Reshape{turned, {1, 64 * 33}}, 1, 64 * 33);
          g.output(g.linear(flat, 70));
          g.output(g.batch_norm(x, Activation::Tanh));  // folds into nothing
        },
        static_cast<std::uint64_t>(100 + channels));
}

TEST_CASE("layers of transformers with all kinds of biases") {
  for (int kind = 0; kind < 6; ++kind)
    check_all_ways(
        [=](HandGraph& g) {
          const int rows = kind == 3 ? 69 : kind == 4 ? 13 : 64, width = 48, heads = 3;
          const ValueId x = g.planes(width, rows);
          const ValueId all = g.linear(g.norm(x), 3 * width, Activation::None, kind != 0);
          const ValueId attention = g.attention(all, heads);
          auto& step =
              std::get<step::Attention>(g.graph.steps[static_cast<std::size_t>(attention)]);
          if (kind == 1 || kind == 5) step.relative_bias = g.tensor({heads, 225});
          if (kind == 2 || kind == 4) {
            step.query_gain = g.tensor({width / heads}, 0.5F, 1);
            step.key_gain = g.tensor({width / heads}, 0.5F, 1);
          }
          ValueId y = g.sum(x, g.linear(attention, width), 0.7F);
          y = g.norm(y, kind % 2 == 0 ? NormKind::RmsNorm : NormKind::LayerNorm);
          const ValueId inner =
              g.linear(y, 4 * width, kind % 2 == 0 ? Activation::Relu2 : Activation::Gelu);
          y = g.sum(y, g.linear(inner, width), 0.7F);
          g.output(y);
          g.output(g.add(step::MeanRows{y}, 1, width));
        },
        static_cast<std::uint64_t>(200 + kind));
}

// What was rounded for one layer serves the next, but not one that wants another value.
TEST_CASE("layers that share what they read") {
  check_all_ways(
      [](HandGraph& g) {
        const ValueId x = g.linear(g.planes(70), 72, Activation::Relu);
        const ValueId y = g.norm(g.linear(x, 72));
        const ValueId a = g.linear(y, 96), b = g.linear(x, 96), c = g.linear(y, 96);
        const ValueId attention =
            g.add(step::Attention{{a, 0}, {b, 0}, {c, 0}, 4, 24, {}, {}, {}, {}, 1e-6F}, 64, 96);
        g.output(g.linear(attention, 40));
        g.output(g.linear(x, 16));
        g.output(g.linear(y, 17));
      },
      250);
}

TEST_CASE("attention with a bias that the network makes") {
  for (const bool relative : {false, true})
    check_all_ways(
        [=](HandGraph& g) {
          const int width = 32, heads = 4;
          const ValueId x = g.planes(width);
          const ValueId small = g.linear(x, 4, Activation::None, false);
          const ValueId flat = g.add(step::Reshape{small, {1, 256}}, 1, 256);
          const ValueId hidden = g.norm(g.linear(flat, heads * 16, Activation::Swish));
          const ValueId by_heads = g.add(step::Reshape{hidden, {heads, 16}}, heads, 16);
          const ValueId bias = g.linear(by_heads, 64 * 64, Activation::None, false);
          const ValueId all = g.linear(x, 3 * width);
          const ValueId attention = g.attention(all, heads);
          auto& step =
              std::get<step::Attention>(g.graph.steps[static_cast<std::size_t>(attention)]);
          step.bias = bias;
          if (relative) step.relative_bias = g.tensor({heads, 225});
          g.output(attention);
        },
        relative ? 301 : 300);
}

TEST_CASE("tokens, contexts, constants, and all that only moves numbers") {
  check_all_ways(
      [](HandGraph& g) {
        const ValueId tokens = g.add(step::Input{step::Input::Kind::Tokens, {1, 12}}, 1, 12);
        step::Embed embed{tokens, {{0, 2, g.tensor({10, 20})}, {2, 10, g.tensor({11, 20})}}, {}, 1};
        const ValueId plain = g.add(embed, 12, 20);
        embed.positions = {3, g.tensor({9, 20})};
        embed.scale = 4.5F;
        const ValueId placed = g.add(embed, 12, 20);
        const ValueId context = g.add(step::Input{step::Input::Kind::Context, {1, 2}}, 1, 2);
        const ValueId constant = g.add(step::Constant{{12, 5}, g.randoms(60)}, 12, 5);
        const ValueId all = g.add(step::Concat{{plain, context, constant, placed}}, 12, 47);
        const ValueId gated =
            g.add(step::Gate{all, g.tensor({12, 47}), g.tensor({12, 47})}, 12, 47);
        const ValueId factor = g.add(step::Gate{gated, g.tensor({12, 47}), {}}, 12, 47);
        const ValueId term = g.add(step::Gate{factor, {}, g.tensor({12, 47})}, 12, 47);
        g.output(term);
        g.output(g.add(step::TakeRows{term, 3, 4}, 4, 47));
        g.output(g.add(step::TakeColumns{term, 10, 9}, 12, 9));
        g.output(g.add(step::Transpose{term}, 47, 12));
        g.output(g.add(step::Gather{{plain, context, placed}, {0, 239, 241, 240, 242, 481, 5, 5}},
                       1, 8));
        g.output(g.sum(term, term, 2, Activation::Tanh));
      },
      400);
}

TEST_CASE("scores of pairs and promotions") {
  for (const bool add_last : {false, true})
    check_all_ways(
        [=](HandGraph& g) {
          const ValueId x = g.planes(24);
          const ValueId from = g.linear(x, 30, Activation::Selu), to = g.linear(x, 30);
          const ValueId scores = g.add(step::PairScores{from, to, 0.2F}, 64, 64);
          const ValueId last = g.add(step::TakeRows{to, 56, 8}, 8, 30);
          const ValueId offsets = g.linear(last, 4, Activation::None, false);
          const int pieces = add_last ? 3 : 4;
          const ValueId promotions =
              g.add(step::PromotionScores{scores, offsets, pieces, add_last, 1.5F}, 1, 64 * pieces);
          const ValueId flat = g.add(step::Reshape{scores, {1, 4096}}, 1, 4096);
          g.output(g.add(step::Gather{{flat, promotions}, {4095, 0, 4096, 4100, 77}}, 1, 5));
          g.output(scores);
          g.output(promotions);
        },
        add_last ? 501 : 500);
}

TEST_CASE("all kernels give the same") {
  HandGraph g(600);
  const ValueId x = g.convolution(g.planes(18), 64, 3, Activation::Mish);
  const ValueId y = g.norm(g.attention(g.linear(x, 192), 4));
  g.output(g.linear(g.linear(y, 128, Activation::Gelu), 64));
  const Batch batch = batch_for(g, 3);
  std::vector<Outputs> results;
  for (const kernels::Kernels* const set : kernels::runnable_kernels())
    results.push_back(
        run(Network::make(g.graph, g.tensors, Precision::Fp32, set).take(), batch, 3));
  for (const Outputs& result : results) CHECK(distance(result, results[0]) < 1e-5);
}

// Any layer may follow any other: what one reads must not have been overwritten by another.
TEST_CASE("random graphs") {
  for (std::uint64_t seed = 1000; seed < 1030; ++seed)
    check_all_ways(
        [=](HandGraph& g) {
          Rng rng(seed);
          const int width = 24;
          std::vector<ValueId> values{g.planes(width)};
          const auto any = [&] { return values[rng.next() % values.size()]; };
          for (int i = 0; i < 12; ++i) {
            const ValueId a = any(), b = any();
            switch (rng.next() % 8) {
              case 0: values.push_back(g.linear(a, width, Activation::Relu)); break;
              case 1: values.push_back(g.linear(a, width)); break;
              case 2: values.push_back(g.convolution(a, width, 3)); break;
              case 3: values.push_back(g.batch_norm(a, Activation::Tanh)); break;
              case 4: values.push_back(g.norm(g.sum(a, b, 0.5F))); break;
              case 5: values.push_back(g.sum(a, b, 0.5F, Activation::Tanh)); break;
              case 6: values.push_back(g.attention(g.linear(a, 3 * width), 2)); break;
              default: values.push_back(g.norm(g.squeeze_excite(a, b, 6))); break;
            }
          }
          g.output(g.norm(values.back()));
          g.output(g.norm(any()));
        },
        seed, {2e-4, 0.2});  // many layers, and norms of rows that hardly differ
}

TEST_CASE("an output that is not wanted is left alone, and the others are the same") {
  HandGraph g(7);
  const ValueId x = g.linear(g.planes(20), 40, Activation::Relu);
  g.output(g.linear(x, 5));
  g.output(g.linear(x, 6));
  const Network network = Network::make(g.graph, g.tensors, Precision::Fp32).take();
  const Batch batch = batch_for(g, 3);
  const Outputs both = run(network, batch, 3);
  std::vector<float> second(3 * 64 * 6);
  const std::vector<std::span<float>> spans{{}, second};
  network.run(*network.workspace(3), 3, batch.all(), spans);
  CHECK(second == both[1]);
}

TEST_CASE("nothing is allocated while a network runs") {
  HandGraph g(8);
  ValueId x = g.convolution(g.planes(112), 64, 3, Activation::Relu);
  x = g.squeeze_excite(g.convolution(x, 64, 3), x, 8);
  x = g.norm(g.attention(g.linear(x, 192), 4));
  g.output(g.add(step::PairScores{x, x, 1}, 64, 64));
  g.output(g.linear(g.add(step::MeanRows{x}, 1, 64), 3));
  for (const Precision precision : {Precision::Fp32, Precision::Int8}) {
    const Network network = Network::make(g.graph, g.tensors, precision).take();
    const Batch batch = batch_for(g, 19);
    std::vector<float> first(19 * 4096), second(19 * 3);
    const std::vector<std::span<float>> spans{first, second};
    const auto workspace = network.workspace(4);
    const long before = allocations;
    network.run(*workspace, 19, batch.all(), spans);
    CHECK(allocations == before);
  }
}

TEST_CASE("weights from a file of bytes run like those rounded at once") {
  HandGraph g(9);
  g.output(g.linear(g.convolution(g.planes(70), 64, 3, Activation::Relu), 66));
  const Tensors bytes = quantize(g.graph, g.tensors);
  CHECK(bytes.at("tensor0").is_int8());
  CHECK(bytes.at("tensor0").numbers.empty());
  CHECK_FALSE(bytes.at("tensor1").is_int8());
  const Batch batch = batch_for(g, 2);
  const Network a = Network::make(g.graph, g.tensors, Precision::Int8).take();
  const Network b = Network::make(g.graph, bytes, Precision::Int8).take();
  CHECK(run(a, batch, 2) == run(b, batch, 2));
  // And in full precision what the bytes mean.
  HandGraph rounded = g;
  rounded.tensors = bytes;
  const Network c = Network::make(g.graph, bytes, Precision::Fp32).take();
  CHECK(distance(run(c, batch, 2), by_the_book(rounded, batch)) < 2e-5);
}

TEST_CASE("large tables of words become bytes in files, and mean the same to the executor") {
  HandGraph g(11);
  const ValueId tokens = g.add(step::Input{step::Input::Kind::Tokens, {1, 12}}, 1, 12);
  const step::Embed embed{
      tokens, {{0, 2, g.tensor({10, 64})}, {2, 10, g.tensor({300, 64})}}, {}, 1};
  g.output(g.add(embed, 12, 64));
  const Tensors bytes = quantize(g.graph, g.tensors);
  CHECK_FALSE(bytes.at("tensor0").is_int8());  // too small to be worth it
  REQUIRE(bytes.at("tensor1").is_int8());
  CHECK(bytes.at("tensor1").scales.size() == 300);
  HandGraph rounded = g;
  rounded.tensors = bytes;
  const Batch batch = batch_for(g, 2);
  const Network network = Network::make(g.graph, bytes, Precision::Int8).take();
  CHECK(distance(run(network, batch, 2), by_the_book(rounded, batch)) < 2e-5);
  CHECK(distance(by_the_book(g, batch), by_the_book(rounded, batch)) < 0.01);
}

TEST_CASE("tensors that are missing or of another shape are refused by name") {
  HandGraph g(10);
  g.output(g.linear(g.planes(20), 5));
  Tensors tensors = g.tensors;
  tensors["tensor0"].shape = {20, 5};
  auto network = Network::make(g.graph, tensors, Precision::Fp32);
  REQUIRE_FALSE(network.ok());
  CHECK(network.error().find("tensor0") != std::string::npos);
  tensors.erase("tensor0");
  network = Network::make(g.graph, tensors, Precision::Fp32);
  REQUIRE_FALSE(network.ok());
  CHECK(network.error().find("tensor0") != std::string::npos);
}

}  // namespace
}  // namespace aleph::nets
