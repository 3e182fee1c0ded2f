#include "nets/leela/architecture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/text.h"
#include "nets/leela/format_numbers.h"

namespace aleph::nets::leela {
namespace {

constexpr std::size_t kPlanes = 112, kSquares = 64;

// Lengths are at most those of the file, and validate() refuses networks that are too large.
int number(std::size_t size) {
  return static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
}
int divided(const Layer& layer, std::size_t by) { return by == 0 ? 0 : number(layer.size() / by); }

class Describer {
 public:
  Describer(const Net& net, const LeelaHeads& heads)
      : weights_(net.weights), format_(corrected(net.format, net.weights)), heads_(heads) {}

  Result<Architecture> describe() {
    for (const auto part : {&Describer::take_input, &Describer::take_activations,
                            &Describer::take_trunk, &Describer::take_heads, &Describer::take_policy,
                            &Describer::take_value, &Describer::take_moves_left}) {
      const Status taken = (this->*part)();
      if (!taken.ok()) return Error{taken.error()};
    }
    return std::move(result_);
  }

 private:
  Status take_input() {
    const std::uint64_t input = format_.input;
    if ((input < 1 || input > 5) && input != 132 && input != 133)
      return Error{fmt::format("the input format {} is not known", input)};
    result_.spec.input = {InputKind::Planes112, Normalization::Flip, static_cast<int>(input)};
    return Status::success();
  }

  Status take_activations() {
    if (format_.default_activation > 1)
      return Error{
          fmt::format("the default activation {} is not known", format_.default_activation)};
    usual_ = format_.default_activation == 1 ? Activation::Mish : Activation::Relu;
    const auto feed_forward = activation(format_.ffn_activation);
    const auto smolgen = activation(format_.smolgen_activation);
    if (!feed_forward || !smolgen)
      return Error{fmt::format("the activation {} is not known", !feed_forward
                                                                     ? format_.ffn_activation
                                                                     : format_.smolgen_activation)};
    feed_forward_ = *feed_forward;
    smolgen_ = *smolgen;
    return Status::success();
  }

  std::optional<Activation> activation(std::uint64_t name) const {
    switch (name) {
      case kDefault: return usual_;
      case kMish: return Activation::Mish;
      case kRelu: return Activation::Relu;
      case kNone: return Activation::None;
      case kTanh: return Activation::Tanh;
      case kSigmoid: return Activation::Sigmoid;
      case kSelu: return Activation::Selu;
      case kSwish: return Activation::Swish;
      case kRelu2: return Activation::Relu2;
      default: return std::nullopt;
    }
  }

  Status take_trunk() {
    switch (format_.network) {
      case kClassicalWithHeads:
      case kSeWithHeads: return take_resnet();
      case kAttentionBody:
      case kAttentionBodyManyHeads: return take_transformer();
      case kOnnx: return Error{"the file holds an ONNX model instead of weights"};
      default: return Error{fmt::format("networks of kind {} are not known", format_.network)};
    }
  }

  Status take_resnet() {
    ResnetSpec trunk;
    width_ = weights_.input.weights.size() / (kPlanes * 9);
    trunk.channels = number(width_);
    trunk.blocks = number(weights_.residual.size());
    trunk.batch_norm = false;
    trunk.activation = usual_;
    if (weights_.residual.empty()) return Error{"the network has no residual blocks"};
    trunk.squeeze = number(weights_.residual.front().se.b1.size());
    for (const Residual& residual : weights_.residual)
      if (residual.se.b1.size() != weights_.residual.front().se.b1.size())
        return Error{"the residual blocks differ in their squeeze and excitation"};
    result_.spec.trunk = trunk;
    return Status::success();
  }

  Status take_transformer() {
    if (weights_.encoder.empty()) return Error{"the network has no encoder layers"};
    const EncoderLayer& first = weights_.encoder.front();
    result_.attention_body = true;
    width_ = weights_.ip_emb_b.size();
    TransformerSpec trunk;
    trunk.width = number(width_);
    trunk.layers = number(weights_.encoder.size());
    trunk.heads = number(weights_.headcount);
    trunk.feed_forward = number(first.ffn.dense1_b.size());
    trunk.attention_width = number(first.mha.q_b.size());
    trunk.pre_norm = false;
    trunk.activation = feed_forward_;
    trunk.residual_scale = std::pow(2.0 * static_cast<double>(weights_.encoder.size()), -0.25);
    trunk.final_norm = false;
    const Status embedded = take_embedding(trunk);
    if (!embedded.ok()) return embedded;
    trunk.epsilon = trunk.embedding.positions == EmbeddingSpec::Positions::Dense ? 1e-3 : 1e-6;
    const Status generated = take_smolgen(trunk);
    if (!generated.ok()) return generated;
    result_.spec.trunk = trunk;
    return Status::success();
  }

  Status take_embedding(TransformerSpec& trunk) const {
    EmbeddingSpec& embedding = trunk.embedding;
    const bool dense = format_.input_embedding == kPeDense;
    if (format_.input_embedding > kPeDense)
      return Error{fmt::format("the input embedding {} is not known", format_.input_embedding)};
    embedding.positions = dense                               ? EmbeddingSpec::Positions::Dense
                          : format_.input_embedding == kPeMap ? EmbeddingSpec::Positions::Map
                                                              : EmbeddingSpec::Positions::None;
    embedding.activation = usual_;
    embedding.gates = !weights_.ip_mult_gate.empty() && !weights_.ip_add_gate.empty();
    embedding.epsilon = 1e-3;
    if (!dense) return Status::success();
    embedding.dense_width = divided(weights_.ip_emb_preproc_b, kSquares);
    embedding.norm = true;
    embedding.feed_forward = number(weights_.ip_emb_ffn.dense1_b.size());
    if (embedding.dense_width == 0 || embedding.feed_forward == 0)
      return Error{"the dense embedding of the input is missing"};
    return Status::success();
  }

  Status take_smolgen(TransformerSpec& trunk) const {
    for (const EncoderLayer& layer : weights_.encoder) {
      const Mha& mha = layer.mha;
      if (!mha.rpe_q.empty() || !mha.rpe_k.empty() || !mha.rpe_v.empty())
        return Error{"relative position encodings of attention are not known"};
      if (mha.smolgen.compress.empty() != weights_.smolgen_w.empty())
        return Error{"some encoder layers have smolgen and others not"};
    }
    if (weights_.smolgen_w.empty()) return Status::success();
    const Smolgen& smolgen = weights_.encoder.front().mha.smolgen;
    SmolgenSpec spec;
    spec.compressed = divided(smolgen.compress, width_);
    spec.hidden = number(smolgen.dense1_b.size());
    spec.generated = divided(weights_.smolgen_w, kSquares * kSquares);
    spec.activation = smolgen_;
    spec.epsilon = 1e-3;
    // In descriptions this means that the mean over the squares is taken.
    if (spec.compressed == 0) return Error{"smolgen's layer 'compress' is shorter than a row"};
    trunk.smolgen = spec;
    return Status::success();
  }

  // One head of each kind, wherever the file has it.
  Status take_heads() {
    if (format_.network != kAttentionBodyManyHeads) {
      result_.policy = weights_.policy;
      result_.value = weights_.value;
      return Status::success();
    }
    const PolicyHeads& policies = weights_.policy_heads;
    const ValueHeads& values = weights_.value_heads;
    const PolicyHead* const policy = heads_.policy == "vanilla"      ? &policies.vanilla
                                     : heads_.policy == "optimistic" ? &policies.optimistic_st
                                     : heads_.policy == "soft"       ? &policies.soft
                                     : heads_.policy == "opponent"   ? &policies.opponent
                                                                     : nullptr;
    const ValueHead* const value = heads_.value == "winner" ? &values.winner
                                   : heads_.value == "q"    ? &values.q
                                   : heads_.value == "st"   ? &values.st
                                                            : nullptr;
    if (policy == nullptr || !policy->present)
      return Error{fmt::format("the network has no policy head {}", aleph::quoted(heads_.policy))};
    if (value == nullptr || !value->present)
      return Error{fmt::format("the network has no value head {}", aleph::quoted(heads_.value))};
    result_.policy = *policy;
    result_.value = *value;
    if (result_.policy.ip_pol_w.empty()) {
      const bool shared = !policies.ip_pol_w.empty();
      result_.policy.ip_pol_w = shared ? policies.ip_pol_w : weights_.policy.ip_pol_w;
      result_.policy.ip_pol_b = shared ? policies.ip_pol_b : weights_.policy.ip_pol_b;
    }
    return Status::success();
  }

  Status take_policy() {
    const PolicyHead& policy = result_.policy;
    HeadSpec head;
    head.kind = HeadKind::Policy1858;
    head.activation = usual_;
    switch (format_.policy) {
      case kPolicyClassical: head.channels = divided(policy.policy.weights, width_); break;
      case kPolicyConvolution:
        head.form = HeadSpec::Form::Convolution;
        head.channels = divided(policy.policy1.weights, width_ * 9);
        break;
      case kPolicyAttention: take_attention(head); break;
      default: return Error{fmt::format("policy heads of kind {} are not known", format_.policy)};
    }
    if (head.channels == 0) return Error{"the policy head is missing"};
    if (result_.attention_body && format_.policy != kPolicyAttention)
      return Error{"a transformer's policy head must have queries and keys"};
    result_.spec.heads.push_back(head);
    return Status::success();
  }

  void take_attention(HeadSpec& head) const {
    const PolicyHead& policy = result_.policy;
    const bool body = result_.attention_body;
    head.form = HeadSpec::Form::Attention;
    head.channels = number(policy.ip_pol_b.size());
    head.width = number(policy.ip2_pol_b.size());
    head.activation = body ? usual_ : Activation::Selu;
    head.encoders = number(policy.pol_encoder.size());
    if (head.encoders == 0) return;
    head.encoder_heads = number(policy.pol_headcount);
    head.encoder_feed_forward = number(policy.pol_encoder.front().ffn.dense1_b.size());
    head.encoder_activation = body ? feed_forward_ : Activation::Selu;
  }

  Status take_value() {
    const ValueHead& value = result_.value;
    if (format_.value > kValueWdl)
      return Error{fmt::format("value heads of kind {} are not known", format_.value)};
    const bool wdl =
        format_.value == kValueWdl || (format_.value == 0 && format_.output == kOutputWdl);
    HeadSpec head;
    head.kind = wdl ? HeadKind::Wdl : HeadKind::Value;
    head.activation = usual_;
    head.channels = result_.attention_body ? number(value.ip_val_b.size())
                                           : divided(value.value.weights, width_);
    head.hidden = number(value.ip1_val_b.size());
    if (head.channels == 0 || head.hidden == 0) return Error{"the value head is missing"};
    result_.spec.heads.push_back(head);
    return Status::success();
  }

  Status take_moves_left() {
    if (format_.moves_left == 0) return Status::success();
    const MovesLeftHead& moves_left = weights_.moves_left;
    HeadSpec head;
    head.kind = HeadKind::MovesLeft;
    head.activation = usual_;
    head.channels = result_.attention_body ? number(moves_left.ip_mov_b.size())
                                           : divided(moves_left.moves_left.weights, width_);
    head.hidden = number(moves_left.ip1_mov_b.size());
    if (head.channels == 0 || head.hidden == 0) return Error{"the moves-left head is missing"};
    result_.spec.heads.push_back(head);
    return Status::success();
  }

  const Weights& weights_;
  const NetworkFormat format_;
  const LeelaHeads heads_;
  Activation usual_ = Activation::Relu, feed_forward_ = Activation::Relu;
  Activation smolgen_ = Activation::Swish;
  std::size_t width_ = 0;
  Architecture result_;
};

}  // namespace

Result<Architecture> architecture_of(const Net& net, const LeelaHeads& heads) {
  return Describer(net, heads).describe();
}

}  // namespace aleph::nets::leela
