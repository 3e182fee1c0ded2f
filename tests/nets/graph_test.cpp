#include "nets/graph/graph.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "leela_specs.h"
#include "nets/encode/encoder.h"
#include "nets/graph/build.h"
#include "nets/graph/check.h"

namespace aleph::nets {
namespace {

Graph graph_of(const NetSpec& spec) {
  auto graph = build_graph(spec);
  INFO(spec.name << ": " << (graph.ok() ? "" : graph.error()));
  REQUIRE(graph.ok());
  const Status status = check_graph(graph.value());
  INFO((status.ok() ? "" : status.error()));
  REQUIRE(status.ok());
  REQUIRE(graph.value().outputs.size() == spec.heads.size());
  return graph.take();
}

std::set<std::string> names_of(const Graph& graph) {
  std::set<std::string> names;
  for (const TensorSpec& tensor : graph.tensors) names.insert(tensor.name);
  return names;
}

const TensorSpec& tensor_of(const Graph& graph, const std::string& name) {
  for (const TensorSpec& tensor : graph.tensors)
    if (tensor.name == name) return tensor;
  FAIL("there is no tensor " << name);
  return graph.tensors.front();
}

template <class Kind>
int count_of(const Graph& graph) {
  return static_cast<int>(std::ranges::count_if(
      graph.steps, [](const Step& step) { return std::holds_alternative<Kind>(step); }));
}

TEST_CASE("Maia-1: convolutions, squeeze and excitation, a policy of planes") {
  const Graph graph = graph_of(test::maia1());
  CHECK(count_of<step::Convolution>(graph) == 1 + 6 * 2 + 2);
  CHECK(count_of<step::SqueezeExcite>(graph) == 6);
  CHECK(count_of<step::BatchNorm>(graph) == 0);
  CHECK(tensor_of(graph, "trunk.input.weight").shape == std::vector<int>{64, 112, 3, 3});
  CHECK(tensor_of(graph, "trunk.block.5.squeeze.linear2.weight").shape == std::vector<int>{128, 8});
  CHECK(tensor_of(graph, "head.policy1858.conv2.weight").shape == std::vector<int>{80, 64, 3, 3});
  CHECK(tensor_of(graph, "head.wdl.squares.weight").shape == std::vector<int>{32, 64});
  CHECK(tensor_of(graph, "head.wdl.hidden.weight").shape == std::vector<int>{128, 2048});
  // Heads of residual networks flatten channel by channel.
  CHECK(count_of<step::Transpose>(graph) == 1);
  CHECK(graph.find(HeadKind::Wdl) == &graph.outputs[1]);
  CHECK(graph.find(HeadKind::Value) == nullptr);
}

TEST_CASE("T1: an attention body with a map of positions, gates and smolgen") {
  const Graph graph = graph_of(test::t1());
  // Leela says: about 20.2 million parameters, 1.3 GFLOP.
  CHECK(graph.parameters() > 20'000'000);
  CHECK(graph.parameters() < 20'400'000);
  CHECK(graph.flops() == doctest::Approx(1.3e9).epsilon(0.03));
  CHECK(tensor_of(graph, "embedding.input.weight").shape == std::vector<int>{256, 176});
  CHECK(tensor_of(graph, "embedding.gate.factor").shape == std::vector<int>{64, 256});
  CHECK(tensor_of(graph, "trunk.smolgen.weight").shape == std::vector<int>{4096, 256});
  CHECK(tensor_of(graph, "trunk.layer.9.smolgen.linear1.weight").shape ==
        std::vector<int>{256, 2048});
  CHECK(tensor_of(graph, "head.policy1858.promotion.weight").shape == std::vector<int>{4, 256});
  CHECK_FALSE(names_of(graph).contains("trunk.norm.weight"));
  CHECK(count_of<step::Attention>(graph) == 10);

  const auto map = std::ranges::find_if(
      graph.steps, [](const Step& step) { return std::holds_alternative<step::Constant>(step); });
  REQUIRE(map != graph.steps.end());
  const auto& numbers = std::get<step::Constant>(*map).numbers;
  CHECK(numbers[0] == -1);
  CHECK(numbers[1] == 1);           // a1b1
  CHECK(numbers[63] == 1);          // a1h8
  CHECK(numbers[10] == 1);          // a1c2: a knight
  CHECK(numbers[11] == 0);          // a1d2
  CHECK(numbers[7 * 64 + 8] == 0);  // h1a2: not round the edge
}

TEST_CASE("dense positions, an attention of its own width, encoders of a policy head") {
  const Graph graph = graph_of(test::dense_embedding());
  CHECK(tensor_of(graph, "embedding.dense.weight").shape == std::vector<int>{64 * 32, 768});
  CHECK(tensor_of(graph, "embedding.input.weight").shape == std::vector<int>{256, 112 + 32});
  CHECK(tensor_of(graph, "embedding.feed_forward.linear1.weight").shape ==
        std::vector<int>{512, 256});
  CHECK(tensor_of(graph, "trunk.layer.1.attention.query.weight").shape ==
        std::vector<int>{128, 256});
  CHECK(tensor_of(graph, "trunk.layer.1.attention.output.weight").shape ==
        std::vector<int>{256, 128});
  CHECK(tensor_of(graph, "head.policy1858.encoder.1.feed_forward.linear1.weight").shape ==
        std::vector<int>{64, 256});
  CHECK(count_of<step::Attention>(graph) == 4);
}

TEST_CASE("Maia-3: ratings, biases of the mean, 4352 moves") {
  const Graph graph = graph_of(test::maia3());
  // The file has 5,230,084 numbers; two heads share a norm there, and have one each here.
  CHECK(graph.parameters() == 5'230'084 + 512);
  CHECK(graph.flops() == doctest::Approx(2 * 0.32e9).epsilon(0.03));
  CHECK(tensor_of(graph, "embedding.input.weight").shape == std::vector<int>{256, 352});
  CHECK(tensor_of(graph, "embedding.rating.weight").shape == std::vector<int>{128, 2});
  CHECK_FALSE(names_of(graph).contains("trunk.layer.0.norm1.bias"));
  CHECK(names_of(graph).contains("trunk.norm.bias"));
}

TEST_CASE("every form of a head on every kind of trunk") {
  using Form = HeadSpec::Form;
  NetSpec resnet{"r", {InputKind::Planes16}, ResnetSpec{.channels = 8, .blocks = 1}, {}};
  NetSpec rows{
      "t", {InputKind::Planes20}, TransformerSpec{.width = 8, .layers = 1, .heads = 2}, {}};
  NetSpec tokens = rows;
  tokens.input.kind = InputKind::Tokens74;
  int built = 0;
  for (NetSpec spec : {resnet, rows, tokens})
    for (int kind = 0; kind <= static_cast<int>(HeadKind::ThinkTime); ++kind)
      for (const auto from : {HeadSpec::From::Squares, HeadSpec::From::Cls, HeadSpec::From::Mean})
        for (const Form form : {Form::Linear, Form::Convolution, Form::Attention})
          for (const int channels : {0, 4})
            for (const int hidden : {0, 6}) {
              HeadSpec head{.kind = static_cast<HeadKind>(kind), .from = from, .form = form};
              head.channels = channels;
              head.hidden = hidden;
              spec.heads = {head};
              const auto graph = build_graph(spec);
              if (!graph.ok()) {
                CHECK(graph.error().starts_with("heads[0]."));
                continue;
              }
              ++built;
              CHECK(check_graph(graph.value()).ok());
            }
  // 3 trunks, from squares: 6 linear kinds x 4, the linear policy x 4, the convolution once, with
  // pairs 3 x 2, fromto x 2. From the mean, and on tokens from CLS: 7 kinds x 2.
  CHECK(built == 3 * (6 * 4 + 4 + 1 + 3 * 2 + 2) + 4 * 7 * 2);
}

TEST_CASE("inputs of graphs are those that encoders make") {
  for (const NetSpec& spec : {test::maia1(), test::t1(), test::maia3()}) {
    const InputSizes sizes = sizes_of(spec.input);
    const Graph graph = graph_of(spec);
    for (const Step& step : graph.steps) {
      const auto* const input = std::get_if<step::Input>(&step);
      if (input == nullptr) continue;
      if (input->kind == step::Input::Kind::Planes) CHECK(input->shape == Shape{64, sizes.planes});
      if (input->kind == step::Input::Kind::Context) CHECK(input->shape == Shape{1, sizes.context});
    }
  }
}

TEST_CASE("networks that are too large are refused before anything is made") {
  NetSpec spec{"large", {InputKind::Planes16}, ResnetSpec{.channels = 4096, .blocks = 128}, {{}}};
  spec.heads[0].channels = 32;
  const auto graph = build_graph(spec);
  REQUIRE_FALSE(graph.ok());
  CHECK(graph.error().starts_with("the network has 386"));
}

TEST_CASE("faults of graphs are found") {
  const Graph good = graph_of(test::maia1());
  const auto refused = [](const Graph& graph, const char* expected) {
    const Status status = check_graph(graph);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().find(expected) != std::string::npos);
  };
  const std::size_t last = good.steps.size() - 1;
  Graph bad = good;
  std::get<step::Convolution>(bad.steps[1]).in = 5;
  refused(bad, "step 1: Convolution: value 5 is not there yet");
  bad = good;
  std::get<step::Convolution>(bad.steps[1]).weight = 1000;
  refused(bad, "tensor 1000 is not there");
  bad = good;
  std::get<step::Convolution>(bad.steps[1]).bias = -1;
  refused(bad, "tensor -1 is not there");
  bad = good;
  bad.tensors[0].shape[1] = 111;
  refused(bad, "trunk.input.weight is [64][111][3][3] instead of [64][112][3][3]");
  bad = good;
  bad.tensors[1].name = bad.tensors[0].name;
  refused(bad, "is there twice");
  bad = good;
  bad.tensors[1].shape = {0};
  refused(bad, "has no numbers");
  bad = good;
  bad.shapes[last].width = 4;
  refused(bad, "Linear makes 1 x 3 numbers, not 1 x 4");
  bad = good;
  bad.shapes.pop_back();
  refused(bad, "shapes");
  bad = good;
  bad.outputs[1].value = static_cast<int>(last) + 1;
  refused(bad, "which is not there");
  bad = good;
  bad.outputs[1].value = 0;
  refused(bad, "an output has 64 x 112 numbers, not 1 x 3");
  bad = good;
  for (Step& step : bad.steps)
    if (auto* const gather = std::get_if<step::Gather>(&step)) gather->places[7] = 64 * 80;
  refused(bad, "Gather: a place is not there");
}

}  // namespace
}  // namespace aleph::nets
