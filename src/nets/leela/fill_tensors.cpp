#include "nets/leela/fill_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace aleph::nets::leela {
namespace {

// Variances come without the small number that keeps them from zero.
constexpr float kEpsilon = 1e-5F;

class Filler {
 public:
  explicit Filler(const Graph& graph) {
    for (const TensorSpec& spec : graph.tensors) specs_.emplace(spec.name, &spec);
  }

  Result<Tensors> finish() {
    if (!problem_.empty()) return Error{std::move(problem_)};
    return std::move(tensors_);
  }

  // The first thing that goes wrong is reported in the end; the rest is passed over.
  void put(const std::string& name, const Layer& layer) {
    if (problem_.empty() && fits(name, layer.size())) add(name, decoded(layer));
  }
  void linear(const std::string& name, const Layer& weight, const Layer& bias) {
    put(name + ".weight", weight);
    put(name + ".bias", bias);
  }

  void convolution(const std::string& name, const ConvBlock& block) {
    const std::string weight_name = name + ".weight", bias_name = name + ".bias";
    const std::size_t channels = channels_of(block);
    if (!problem_.empty() || !fits(weight_name, block.weights.size()) || !fits(bias_name, channels))
      return;
    std::vector<float> weight = decoded(block.weights);
    std::vector<float> bias =
        block.biases.empty() ? std::vector<float>(channels) : decoded(block.biases);
    if (!block.bn_means.empty() && !fold(name, block, weight, bias)) return;
    add(weight_name, std::move(weight));
    add(bias_name, std::move(bias));
  }

  // Channel by channel in the file, square by square here.
  void gate(const std::string& name, const Layer& layer) {
    if (!problem_.empty() || !fits(name, layer.size())) return;
    const std::vector<float> by_channel = decoded(layer);
    std::vector<float> by_square(by_channel.size());
    const std::size_t squares = 64, channels = by_channel.size() / squares;
    for (std::size_t square = 0; square < squares; ++square)
      for (std::size_t channel = 0; channel < channels; ++channel)
        by_square[square * channels + channel] = by_channel[channel * squares + square];
    add(name, std::move(by_square));
  }

  void encoder(const std::string& name, const EncoderLayer& layer) {
    const Mha& mha = layer.mha;
    linear(name + ".attention.query", mha.q_w, mha.q_b);
    linear(name + ".attention.key", mha.k_w, mha.k_b);
    linear(name + ".attention.value", mha.v_w, mha.v_b);
    linear(name + ".attention.output", mha.dense_w, mha.dense_b);
    linear(name + ".norm1", layer.ln1_gammas, layer.ln1_betas);
    feed_forward(name + ".feed_forward", layer.ffn);
    linear(name + ".norm2", layer.ln2_gammas, layer.ln2_betas);
  }
  void feed_forward(const std::string& name, const Ffn& ffn) {
    linear(name + ".linear1", ffn.dense1_w, ffn.dense1_b);
    linear(name + ".linear2", ffn.dense2_w, ffn.dense2_b);
  }
  void smolgen(const std::string& name, const Smolgen& smolgen) {
    put(name + ".compress.weight", smolgen.compress);
    linear(name + ".linear1", smolgen.dense1_w, smolgen.dense1_b);
    linear(name + ".norm1", smolgen.ln1_gammas, smolgen.ln1_betas);
    linear(name + ".linear2", smolgen.dense2_w, smolgen.dense2_b);
    linear(name + ".norm2", smolgen.ln2_gammas, smolgen.ln2_betas);
  }

 private:
  static std::size_t channels_of(const ConvBlock& block) {
    return std::max(block.biases.size(), block.bn_means.size());
  }

  bool fits(const std::string& name, std::size_t size) {
    const auto spec = specs_.find(name);
    if (spec == specs_.end())
      return refuse(fmt::format("the network has no place for the layer {}", name));
    if (size == 0) return refuse(fmt::format("the layer for {} is missing", name));
    if (size != spec->second->size())
      return refuse(fmt::format("the layer for {} has {} numbers, but the others ask for {}", name,
                                size, spec->second->size()));
    return true;
  }
  bool refuse(std::string why) {
    problem_ = std::move(why);
    return false;
  }

  bool fold(const std::string& name, const ConvBlock& block, std::vector<float>& weight,
            std::vector<float>& bias) {
    const std::size_t channels = bias.size();
    const std::vector<float> means = decoded(block.bn_means), variances = decoded(block.bn_stddivs);
    const std::vector<float> gammas =
        block.bn_gammas.empty() ? std::vector<float>(channels, 1.0F) : decoded(block.bn_gammas);
    const std::vector<float> betas =
        block.bn_betas.empty() ? std::vector<float>(channels) : decoded(block.bn_betas);
    for (const auto* const numbers : {&means, &variances, &gammas, &betas})
      if (numbers->size() != channels)
        return refuse(fmt::format("the batch norm for {} has {} numbers for {} channels", name,
                                  numbers->size(), channels));
    const std::size_t run = weight.size() / channels;
    for (std::size_t channel = 0; channel < channels; ++channel) {
      if (!(variances[channel] >= 0))
        return refuse(fmt::format("the batch norm for {} has a negative variance", name));
      const float factor = gammas[channel] / std::sqrt(variances[channel] + kEpsilon);
      for (std::size_t i = 0; i < run; ++i) weight[channel * run + i] *= factor;
      bias[channel] = betas[channel] - factor * (means[channel] - bias[channel]);
    }
    return true;
  }

  void add(const std::string& name, std::vector<float> numbers) {
    tensors_.emplace(name, Tensor{specs_.find(name)->second->shape, std::move(numbers), {}, {}});
  }

  std::map<std::string, const TensorSpec*, std::less<>> specs_;
  Tensors tensors_;
  std::string problem_;
};

void fill_resnet(Filler& filler, const Weights& weights) {
  filler.convolution("trunk.input", weights.input);
  for (std::size_t i = 0; i < weights.residual.size(); ++i) {
    const Residual& residual = weights.residual[i];
    const std::string name = fmt::format("trunk.block.{}", i);
    filler.convolution(name + ".conv1", residual.conv1);
    filler.convolution(name + ".conv2", residual.conv2);
    if (residual.se.b1.empty()) continue;
    filler.linear(name + ".squeeze.linear1", residual.se.w1, residual.se.b1);
    filler.linear(name + ".squeeze.linear2", residual.se.w2, residual.se.b2);
  }
}

void fill_transformer(Filler& filler, const Weights& weights, const TransformerSpec& trunk) {
  filler.linear("embedding.input", weights.ip_emb_w, weights.ip_emb_b);
  if (trunk.embedding.positions == EmbeddingSpec::Positions::Dense) {
    filler.linear("embedding.dense", weights.ip_emb_preproc_w, weights.ip_emb_preproc_b);
    filler.linear("embedding.norm", weights.ip_emb_ln_gammas, weights.ip_emb_ln_betas);
    filler.feed_forward("embedding.feed_forward", weights.ip_emb_ffn);
    filler.linear("embedding.feed_forward.norm", weights.ip_emb_ffn_ln_gammas,
                  weights.ip_emb_ffn_ln_betas);
  }
  if (trunk.embedding.gates) {
    filler.gate("embedding.gate.factor", weights.ip_mult_gate);
    filler.gate("embedding.gate.term", weights.ip_add_gate);
  }
  for (std::size_t i = 0; i < weights.encoder.size(); ++i) {
    const std::string name = fmt::format("trunk.layer.{}", i);
    filler.encoder(name, weights.encoder[i]);
    if (trunk.smolgen) filler.smolgen(name + ".smolgen", weights.encoder[i].mha.smolgen);
  }
  if (trunk.smolgen) filler.put("trunk.smolgen.weight", weights.smolgen_w);
}

void fill_policy(Filler& filler, const PolicyHead& policy, HeadSpec::Form form) {
  const std::string name = "head.policy1858";
  switch (form) {
    case HeadSpec::Form::Linear:
      filler.convolution(name + ".squares", policy.policy);
      filler.linear(name + ".output", policy.ip_pol_w, policy.ip_pol_b);
      break;
    case HeadSpec::Form::Convolution:
      filler.convolution(name + ".conv1", policy.policy1);
      filler.convolution(name + ".conv2", policy.policy);
      break;
    case HeadSpec::Form::Attention:
      filler.linear(name + ".squares", policy.ip_pol_w, policy.ip_pol_b);
      for (std::size_t i = 0; i < policy.pol_encoder.size(); ++i)
        filler.encoder(fmt::format("{}.encoder.{}", name, i), policy.pol_encoder[i]);
      filler.linear(name + ".query", policy.ip2_pol_w, policy.ip2_pol_b);
      filler.linear(name + ".key", policy.ip3_pol_w, policy.ip3_pol_b);
      filler.put(name + ".promotion.weight", policy.ip4_pol_w);
      break;
  }
}

void fill_value(Filler& filler, const ValueHead& value, const std::string& name, bool body) {
  if (body)
    filler.linear(name + ".squares", value.ip_val_w, value.ip_val_b);
  else
    filler.convolution(name + ".squares", value.value);
  filler.linear(name + ".hidden", value.ip1_val_w, value.ip1_val_b);
  filler.linear(name + ".output", value.ip2_val_w, value.ip2_val_b);
}

void fill_moves_left(Filler& filler, const MovesLeftHead& moves_left, bool body) {
  const std::string name = "head.moves_left";
  if (body)
    filler.linear(name + ".squares", moves_left.ip_mov_w, moves_left.ip_mov_b);
  else
    filler.convolution(name + ".squares", moves_left.moves_left);
  filler.linear(name + ".hidden", moves_left.ip1_mov_w, moves_left.ip1_mov_b);
  filler.linear(name + ".output", moves_left.ip2_mov_w, moves_left.ip2_mov_b);
}

}  // namespace

Result<Tensors> fill_tensors(const Weights& weights, const Architecture& architecture,
                             const Graph& graph) {
  Filler filler(graph);
  const bool body = architecture.attention_body;
  if (const auto* const trunk = std::get_if<TransformerSpec>(&architecture.spec.trunk))
    fill_transformer(filler, weights, *trunk);
  else
    fill_resnet(filler, weights);
  for (const HeadSpec& head : architecture.spec.heads) {
    if (head.kind == HeadKind::Policy1858) fill_policy(filler, architecture.policy, head.form);
    if (head.kind == HeadKind::Wdl) fill_value(filler, architecture.value, "head.wdl", body);
    if (head.kind == HeadKind::Value) fill_value(filler, architecture.value, "head.value", body);
    if (head.kind == HeadKind::MovesLeft) fill_moves_left(filler, weights.moves_left, body);
  }
  return filler.finish();
}

}  // namespace aleph::nets::leela
