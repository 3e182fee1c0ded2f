// Networks of every kind become ONNX files. That ONNX Runtime answers as we do is checked by
// onnx_check.mjs, for which this writes the files if ALEPH_ONNX_CHECK names a folder.
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
#include "nets/spec/names.h"
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

// Any numbers do as input, but words must be in their tables: all have at least two.
struct Batch {
  std::vector<float> planes, context;
  std::vector<std::int16_t> tokens;
};
Batch random_batch(const InputSizes& sizes, std::size_t positions, Rng& rng) {
  Batch batch;
  for (std::size_t i = 0; i < positions * sizes.plane_numbers(); ++i)
    batch.planes.push_back(rng.next() % 4 == 0 ? 1.0F : 0.0F);
  for (std::size_t i = 0; i < positions * static_cast<std::size_t>(sizes.tokens); ++i)
    batch.tokens.push_back(static_cast<std::int16_t>(rng.next() % 2));
  for (std::size_t i = 0; i < positions * static_cast<std::size_t>(sizes.context); ++i)
    batch.context.push_back(number(rng));
  return batch;
}

template <class T>
std::span<const T> part(const std::vector<T>& all, std::size_t positions, std::size_t i) {
  const std::size_t each = all.size() / positions;
  return std::span(all).subspan(i * each, each);
}

void write_example(const fs::path& file, const Graph& graph, const Tensors& tensors,
                   const InputSizes& sizes) {
  constexpr std::size_t kPositions = 3;
  Rng rng(7);
  const Batch batch = random_batch(sizes, kPositions, rng);
  nlohmann::json example{{"batch", kPositions}};
  if (!batch.planes.empty()) example["inputs"]["planes"] = batch.planes;
  if (!batch.tokens.empty()) example["inputs"]["tokens"] = batch.tokens;
  if (!batch.context.empty()) example["inputs"]["context"] = batch.context;
  for (std::size_t i = 0; i < kPositions; ++i) {
    const auto outputs =
        run_by_the_book(graph, tensors,
                        {part(batch.planes, kPositions, i), part(batch.tokens, kPositions, i),
                         part(batch.context, kPositions, i)});
    for (std::size_t k = 0; k < outputs.size(); ++k)
      for (const float x : outputs[k])
        example["outputs"][std::string(name_of(graph.outputs[k].head.kind))].push_back(x);
  }
  std::ofstream(file) << example;
}

void export_network(const NetSpec& spec, const Graph& graph, const Tensors& tensors) {
  INFO(spec.name);
  const Result<std::string> model = onnx_of(graph, tensors, spec.name);
  if (!model.ok()) FAIL(model.error());
  const auto read = parse_onnx(std::as_bytes(std::span(model.value())));
  REQUIRE(read.ok());
  CHECK(read.value().nodes.size() > graph.outputs.size());
  const char* const folder = std::getenv("ALEPH_ONNX_CHECK");
  if (folder == nullptr) return;
  std::ofstream(fs::path(folder) / (spec.name + ".onnx"), std::ios::binary) << model.value();
  write_example(fs::path(folder) / (spec.name + ".json"), graph, tensors, sizes_of(spec.input));
}

TEST_CASE("networks of all kinds are written as ONNX") {
  for (const NetSpec& spec : all_kinds()) {
    const Result<Graph> graph = build_graph(spec);
    INFO(spec.name);
    if (!graph.ok()) FAIL(graph.error());
    export_network(spec, graph.value(), random_tensors(graph.value(), 3));
  }
}

TEST_SUITE("golden") {
  TEST_CASE("real networks are written as ONNX") {
    const auto shared = test::shared_data_or_skip("networks to export");
    if (!shared) return;
    for (const char* const name : {"nets/lc0/maia-1500.pb.gz", "nets/maia3/maia3-5m.onnx",
                                   "nets/lc0/synth-attn-pedense-multi-in1-f32.pb.gz"}) {
      if (!fs::exists(*shared / name)) continue;
      Result<NetFile> network = read_network(*shared / name);
      if (!network.ok()) FAIL(network.error());
      NetSpec spec = network.value().spec;
      spec.name = fs::path(name).stem().string();
      const Result<Graph> graph = build_graph(spec);
      REQUIRE(graph.ok());
      export_network(spec, graph.value(), network.value().tensors);
    }
  }
}

}  // namespace
}  // namespace aleph::nets
