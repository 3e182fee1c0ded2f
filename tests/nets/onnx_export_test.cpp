// Networks of every kind become ONNX files. That ONNX Runtime answers as we do is checked by
// onnx_runtime_test.py, for which this writes the files if ALEPH_ONNX_CHECK names a folder.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/rng.h"
#include "nets/encode/encoder.h"
#include "nets/executor/network.h"
#include "nets/graph/build.h"
#include "nets/onnx/export.h"
#include "nets/onnx/onnx_model.h"
#include "nets/random_positions.h"
#include "nets/spec/names.h"
#include "nets/spec/spec_yaml.h"
#include "nets/weights/net_file.h"
#include "support/shared_data.h"

namespace aleph::nets {
namespace {

namespace fs = std::filesystem;

float number(Rng& rng) { return static_cast<float>(rng.next() % 2001) / 1000.0F - 1.0F; }

// Weights of a size that keeps values around one; variances are positive.
Tensors random_tensors(const Graph& graph, std::uint64_t seed) {
  Rng rng(seed);
  Tensors tensors;
  for (const TensorSpec& spec : graph.tensors) {
    Tensor tensor{spec.shape, std::vector<float>(spec.size()), {}, {}};
    const std::size_t inputs = spec.size() / static_cast<std::size_t>(spec.shape[0]);
    const float size = spec.shape.size() > 1 ? 1.5F / std::sqrt(static_cast<float>(inputs)) : 0.5F;
    for (float& x : tensor.numbers) {
      x = size * number(rng);
      if (spec.name.ends_with(".variance")) x = std::abs(x) + 0.5F;
    }
    tensors.emplace(spec.name, std::move(tensor));
  }
  return tensors;
}

HeadSpec head(HeadKind kind, int channels = 0, int hidden = 0) {
  HeadSpec spec;
  spec.kind = kind;
  spec.channels = channels;
  spec.hidden = hidden;
  return spec;
}

// Between them they have every kind of step and activation.
std::vector<NetSpec> all_kinds() {
  std::vector<NetSpec> specs;
  NetSpec resnet{"resnet", {InputKind::Planes18, {}, 1}, {}, {}};
  resnet.trunk = ResnetSpec{.channels = 16, .blocks = 2, .squeeze = 4};
  resnet.heads = {head(HeadKind::FromTo), head(HeadKind::Value, 2, 8), head(HeadKind::Wdl, 3, 8)};
  specs.push_back(resnet);
  NetSpec leela{"planes_policy", {InputKind::Planes112, {}, 1}, {}, {}};
  leela.trunk =
      ResnetSpec{.channels = 8, .blocks = 1, .batch_norm = false, .activation = Activation::Mish};
  leela.heads = {head(HeadKind::Policy1858, 4), head(HeadKind::MovesLeft, 2, 4)};
  leela.heads[0].form = HeadSpec::Form::Convolution;
  specs.push_back(leela);
  NetSpec attention{"attention", {InputKind::Planes112, {}, 1}, {}, {}};
  TransformerSpec trunk{.width = 16, .layers = 2, .heads = 2, .feed_forward = 24};
  trunk.embedding.positions = EmbeddingSpec::Positions::Map;
  trunk.embedding.gates = true;
  trunk.pre_norm = false;
  trunk.residual_scale = 0.7;
  trunk.final_norm = false;
  trunk.activation = Activation::Relu2;
  trunk.smolgen = SmolgenSpec{.compressed = 2, .hidden = 8, .generated = 4};
  attention.trunk = trunk;
  attention.heads = {head(HeadKind::Policy1858, 16), head(HeadKind::Wdl, 2, 8)};
  attention.heads[0].form = HeadSpec::Form::Attention;
  attention.heads[0].activation = Activation::Selu;
  specs.push_back(attention);
  NetSpec relative{"relative", {InputKind::Planes16, {}, 1}, {}, {}};
  trunk = TransformerSpec{.width = 16, .layers = 1, .heads = 2, .feed_forward = 24};
  trunk.norm = NormKind::RmsNorm;
  trunk.qk_norm = true;
  trunk.relative_bias = true;
  trunk.activation = Activation::Gelu;
  relative.trunk = trunk;
  relative.heads = {head(HeadKind::Attention4096), head(HeadKind::Value, 0, 8)};
  relative.heads[1].from = HeadSpec::From::Mean;
  specs.push_back(relative);
  for (const InputKind kind : {InputKind::Tokens69, InputKind::Tokens74}) {
    NetSpec tokens{kind == InputKind::Tokens69 ? "tokens69" : "tokens74", {kind, {}, 1}, {}, {}};
    trunk = TransformerSpec{.width = 16, .layers = 1, .heads = 2, .feed_forward = 24};
    trunk.embedding.scaled = kind == InputKind::Tokens69;
    tokens.trunk = trunk;
    tokens.heads = {head(HeadKind::Move4096), head(HeadKind::Promotion4),
                    head(HeadKind::ThinkTime)};
    for (HeadSpec& each : tokens.heads)
      each.from = kind == InputKind::Tokens69 ? HeadSpec::From::Mean : HeadSpec::From::Cls;
    specs.push_back(tokens);
  }
  return specs;
}

// What goes into ONNX Runtime, and what ours makes of it.
class Example {
 public:
  Example(const NetSpec& spec, std::size_t positions)
      : encoder_(InputEncoder::make(spec.input).take()), positions_(positions) {
    const InputSizes& sizes = encoder_.sizes();
    planes_.resize(positions * sizes.plane_numbers());
    tokens_.resize(positions * static_cast<std::size_t>(sizes.tokens));
    context_.resize(positions * static_cast<std::size_t>(sizes.context));
    std::size_t i = 0;
    test::visit_random_positions(
        7, static_cast<int>(positions), [&](const chess::Position& position) {
          encoder_.encode(position, {}, part(planes_, i), part(tokens_, i), part(context_, i));
          ++i;
        });
    REQUIRE(i == positions);
  }

  void write(const fs::path& file, const Network& network) {
    nlohmann::json example{{"batch", positions_}};
    if (!planes_.empty()) example["inputs"]["planes"] = planes_;
    if (!tokens_.empty()) example["inputs"]["tokens"] = tokens_;
    if (!context_.empty()) example["inputs"]["context"] = context_;
    const Graph& graph = network.graph();
    std::vector<std::vector<float>> outputs;
    for (const auto& output : graph.outputs)
      outputs.emplace_back(positions_ *
                           graph.shapes[static_cast<std::size_t>(output.value)].size());
    const std::vector<std::span<float>> spans(outputs.begin(), outputs.end());
    network.run(*network.workspace(positions_), positions_, {planes_, tokens_, context_}, spans);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      example["outputs"][std::string(name_of(graph.outputs[i].head.kind))] = outputs[i];
    std::ofstream(file) << example;
  }

 private:
  template <class T>
  std::span<T> part(std::vector<T>& all, std::size_t i) const {
    const std::size_t each = all.size() / positions_;
    return std::span(all).subspan(i * each, each);
  }

  InputEncoder encoder_;
  std::size_t positions_;
  std::vector<float> planes_, context_;
  std::vector<std::int16_t> tokens_;
};

void export_network(const NetFile& network) {
  const NetSpec& spec = network.spec;
  INFO(spec.name);
  const Result<Graph> graph = build_graph(spec);
  if (!graph.ok()) FAIL(graph.error());
  const Result<std::string> model = onnx_of(graph.value(), network.tensors, spec.name);
  if (!model.ok()) FAIL(model.error());
  const auto read = parse_onnx(std::as_bytes(std::span(model.value())));
  REQUIRE(read.ok());
  CHECK(read.value().nodes.size() > graph.value().outputs.size());
  const char* const folder = std::getenv("ALEPH_ONNX_CHECK");
  if (folder == nullptr) return;
  std::ofstream(fs::path(folder) / (spec.name + ".onnx"), std::ios::binary) << model.value();
  const Result<Network> ours = Network::make(network);
  if (!ours.ok()) FAIL(ours.error());
  Example(spec, 4).write(fs::path(folder) / (spec.name + ".json"), ours.value());
}

void export_random(const NetSpec& spec) {
  const Result<Graph> graph = build_graph(spec);
  INFO(spec.name);
  if (!graph.ok()) FAIL(graph.error());
  export_network({spec, {}, random_tensors(graph.value(), 3)});
}

TEST_CASE("networks of all kinds are written as ONNX") {
  for (const NetSpec& spec : all_kinds()) export_random(spec);
}

TEST_CASE("the small networks of configs/models are written as ONNX") {
  int networks = 0;
  for (const auto& entry : fs::directory_iterator(test::tests_data() / "../../configs/models")) {
    if (!entry.path().stem().string().ends_with("-small")) continue;
    const Result<NetSpec> spec = read_spec_yaml(entry.path());
    if (!spec.ok()) FAIL(spec.error());
    export_random(spec.value());
    ++networks;
  }
  CHECK(networks >= 8);
}

TEST_SUITE("golden") {
  TEST_CASE("real networks are written as ONNX") {
    const auto shared = test::shared_data_or_skip("networks to export");
    if (!shared) return;
    for (const char* const name :
         {"nets/lc0/maia-1500.pb.gz", "nets/lc0/t1-256x10-distilled-swa-2432500.pb.gz",
          "nets/maia3/maia3-5m.onnx", "nets/lc0/synth-attn-pedense-multi-in1-f32.pb.gz"}) {
      if (!fs::exists(*shared / name)) continue;
      const Result<NetFile> network = read_network(*shared / name);
      if (!network.ok()) FAIL(network.error());
      export_network(network.value());
    }
  }
}

}  // namespace
}  // namespace aleph::nets
