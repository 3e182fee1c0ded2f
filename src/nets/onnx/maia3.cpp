#include "nets/onnx/maia3.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <new>

#include "nets/graph/build.h"
#include "nets/onnx/maia3_weights.h"
#include "nets/weights/check_tensors.h"

namespace aleph::nets {
namespace {

constexpr double kRmsEpsilon = 1.1920929e-7;  // what torch takes if nothing is said

// Rows and columns change places: products in the file are x W, ours are W x.
StoredMatrix transposed(const StoredMatrix& from) {
  StoredMatrix to{from.columns, from.rows, std::vector<float>(from.numbers.size())};
  for (std::size_t row = 0; row < from.rows; ++row)
    for (std::size_t column = 0; column < from.columns; ++column)
      to.numbers[column * to.columns + row] = from.numbers[row * from.columns + column];
  return to;
}

StoredMatrix rows_of(const StoredMatrix& from, std::size_t first, std::size_t count) {
  const auto begin = from.numbers.begin() + static_cast<std::ptrdiff_t>(first * from.columns);
  return {count, from.columns, {begin, begin + static_cast<std::ptrdiff_t>(count * from.columns)}};
}

class Importer {
 public:
  explicit Importer(Maia3Weights& weights) : weights_(weights) {}

  Result<NetFile> import() {
    take_embedding();
    while (weights_.problem().empty() && weights_.has(layer_name(layers_, "norm1.weight")))
      take_layer(layers_++);
    take_rest();
    if (!weights_.problem().empty()) return Error{weights_.problem()};
    return finish();
  }

 private:
  static std::string layer_name(int layer, std::string_view part) {
    return fmt::format("transformer.layers.{}.{}", layer, part);
  }

  void take_embedding() {
    // Side by side: what comes in is the share of the one and of the other.
    const StoredMatrix low = weights_.named("elo_embedding_low.weight");
    const StoredMatrix high = weights_.named("elo_embedding_high.weight");
    rating_width_ = low.numbers.size();
    if (high.numbers.size() != rating_width_)
      return weights_.refuse("the two vectors of ratings differ in their lengths");
    StoredMatrix both{2, rating_width_, low.numbers};
    both.numbers.insert(both.numbers.end(), high.numbers.begin(), high.numbers.end());
    put("embedding.rating.weight", transposed(both));
    const StoredMatrix input = transposed(weights_.next_product());
    width_ = input.rows;
    put("embedding.input.weight", input);
    put("embedding.input.bias", weights_.named("token_projection.bias"));
  }

  void take_layer(int layer) {
    const std::string ours = fmt::format("trunk.layer.{}.", layer);
    const auto named = [&](std::string_view to, std::string_view from) {
      put(ours + std::string(to), weights_.named(layer_name(layer, from)));
    };
    named("smolgen.linear1.weight", "self_attn.sm2.weight");
    named("smolgen.linear1.bias", "self_attn.sm2.bias");
    named("smolgen.norm1.weight", "self_attn.ln1.weight");
    named("smolgen.norm1.bias", "self_attn.ln1.bias");
    named("smolgen.linear2.weight", "self_attn.sm3.weight");
    named("smolgen.linear2.bias", "self_attn.sm3.bias");
    named("smolgen.norm2.weight", "self_attn.ln2.weight");
    named("smolgen.norm2.bias", "self_attn.ln2.bias");
    const StoredMatrix attention = transposed(weights_.next_product());
    if (attention.rows != 3 * width_)
      return weights_.refuse("queries, keys and values are not three");
    put(ours + "attention.query.weight", rows_of(attention, 0, width_));
    put(ours + "attention.key.weight", rows_of(attention, width_, width_));
    put(ours + "attention.value.weight", rows_of(attention, 2 * width_, width_));
    put(ours + "attention.output.weight", transposed(weights_.next_product()));
    named("norm1.weight", "norm1.weight");
    put(ours + "feed_forward.linear1.weight", transposed(weights_.next_product()));
    named("feed_forward.linear1.bias", "linear1.bias");
    put(ours + "feed_forward.linear2.weight", transposed(weights_.next_product()));
    named("feed_forward.linear2.bias", "linear2.bias");
    named("norm2.weight", "norm2.weight");
  }

  void take_rest() {
    // One table for all layers; exporters keep the name it has in the last.
    put("trunk.smolgen.weight",
        weights_.named(layer_name(std::max(0, layers_ - 1), "self_attn.gab_weight")));
    put("trunk.norm.weight", weights_.named("transformer.norm.weight"));
    put("trunk.norm.bias", weights_.named("transformer.norm.bias"));
    put("head.policy4352.query.weight", transposed(weights_.next_product()));
    put("head.policy4352.key.weight", transposed(weights_.next_product()));
    put("head.policy4352.promotion.weight", transposed(weights_.next_product()));
    take_head("head.wdl", "fc_value");
    // The file has loss, draw, win.
    for (const char* const name : {"head.wdl.output.weight", "head.wdl.output.bias"}) {
      StoredMatrix& output = found_[name];
      const std::size_t run = output.numbers.size() / 3;
      for (std::size_t i = 0; i < run; ++i)
        std::swap(output.numbers[i], output.numbers[2 * run + i]);
    }
  }

  void take_head(const std::string& ours, const std::string& theirs) {
    put(ours + ".norm.weight", weights_.named("last_ln.weight"));
    put(ours + ".norm.bias", weights_.named("last_ln.bias"));
    put(ours + ".hidden.weight", weights_.named(theirs + "_hid.weight"));
    put(ours + ".hidden.bias", weights_.named(theirs + "_hid.bias"));
    put(ours + ".output.weight", weights_.named(theirs + ".weight"));
    put(ours + ".output.bias", weights_.named(theirs + ".bias"));
  }

  void put(std::string name, StoredMatrix matrix) { found_[std::move(name)] = std::move(matrix); }
  int rows(const std::string& name) { return static_cast<int>(found_[name].rows); }

  NetSpec spec() {
    TransformerSpec trunk;
    trunk.width = static_cast<int>(width_);
    trunk.layers = layers_;
    trunk.feed_forward = rows("trunk.layer.0.feed_forward.linear1.weight");
    trunk.embedding.positions = EmbeddingSpec::Positions::None;
    trunk.embedding.rating_width = static_cast<int>(rating_width_);
    trunk.norm = NormKind::RmsNorm;
    trunk.pre_norm = false;
    trunk.epsilon = kRmsEpsilon;
    trunk.attention_biases = false;
    trunk.activation = Activation::Gelu;
    SmolgenSpec smolgen;
    smolgen.compressed = 0;
    smolgen.hidden = rows("trunk.layer.0.smolgen.linear1.weight");
    smolgen.generated = static_cast<int>(found_["trunk.smolgen.weight"].columns);
    smolgen.activation = Activation::Gelu;
    smolgen.epsilon = 1e-5;
    trunk.heads = rows("trunk.layer.0.smolgen.linear2.weight") / std::max(1, smolgen.generated);
    trunk.smolgen = smolgen;
    trunk.final_norm_kind = NormKind::LayerNorm;
    trunk.final_epsilon = 1e-5;
    HeadSpec policy;
    policy.kind = HeadKind::Policy4352;
    policy.width = rows("head.policy4352.query.weight");
    policy.biases = false;
    NetSpec spec;
    spec.input.kind = InputKind::Boards96;
    spec.trunk = trunk;
    spec.heads = {policy, head(HeadKind::Wdl, "head.wdl")};
    return spec;
  }

  HeadSpec head(HeadKind kind, const std::string& name) {
    HeadSpec head;
    head.kind = kind;
    head.from = HeadSpec::From::Mean;
    head.norm = true;
    head.hidden = rows(name + ".hidden.weight");
    return head;
  }

  Result<NetFile> finish() {
    NetFile network;
    network.spec = spec();
    network.card.source = "Maia-3, UofTCSSLab";
    const Result<Graph> graph = build_graph(network.spec);
    if (!graph.ok()) return Error{graph.error()};
    for (const TensorSpec& wanted : graph.value().tensors) {
      const auto found = found_.find(wanted.name);
      if (found == found_.end() || found->second.numbers.size() != wanted.size())
        return Error{
            fmt::format("the ONNX file has not {} numbers for {}", wanted.size(), wanted.name)};
      network.tensors.emplace(wanted.name,
                              Tensor{wanted.shape, std::move(found->second.numbers), {}, {}});
    }
    const Status checked = check_tensors(graph.value(), network.tensors);
    if (!checked.ok()) return Error{checked.error()};
    return network;
  }

  Maia3Weights& weights_;
  std::map<std::string, StoredMatrix> found_;
  std::size_t width_ = 0, rating_width_ = 0;
  int layers_ = 0;
};

}  // namespace

Result<NetFile> parse_maia3(std::span<const std::byte> onnx, const std::filesystem::path& folder) {
  try {
    const Result<OnnxModel> model = parse_onnx(onnx);
    if (!model.ok()) return Error{model.error()};
    if (!model.value().initializers.contains("elo_embedding_low.weight"))
      return Error{"of ONNX files only Maia-3's are read, and this is none"};
    Maia3Weights weights(model.value(), folder);
    return Importer(weights).import();
  } catch (const std::bad_alloc&) {
    return Error{"there is not enough memory for the network"};
  }
}

}  // namespace aleph::nets
