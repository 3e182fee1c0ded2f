// Bytes to messages: for each kind of message the numbers of its fields.
#include <fmt/format.h>

#include <initializer_list>
#include <utility>

#include "nets/leela/messages.h"
#include "nets/weights/protobuf.h"

namespace aleph::nets::leela {
namespace {

using Bytes = std::span<const std::byte>;
template <class Message>
using LayerFields = std::initializer_list<std::pair<std::uint32_t, Layer Message::*>>;

constexpr std::uint32_t kMagic = 0x1C0;

// Calls `handle` for each field; it says whether it could make sense of it.
template <class Handle>
bool each_field(Bytes message, Handle handle) {
  WireReader fields(message);
  while (fields.next())
    if (!handle(fields)) return false;
  return !fields.damaged();
}

bool read(Bytes message, Layer& layer) {
  std::uint64_t encoding = 0;
  const bool whole = each_field(message, [&](const WireReader& field) {
    if (field.is(1, Wire::Fixed32)) layer.min_val = field.as_float();
    if (field.is(2, Wire::Fixed32)) layer.max_val = field.as_float();
    if (field.is(3, Wire::Bytes)) layer.params = field.bytes();
    if (field.is(4, Wire::Varint)) encoding = field.number();
    return true;
  });
  if (!whole || encoding > 4) return false;
  layer.encoding = encoding == 0 ? Encoding::Linear16 : static_cast<Encoding>(encoding);
  return layer.params.size() % (layer.encoding == Encoding::Float32 ? 4 : 2) == 0;
}

// The layers of a message by their numbers; what is no layer goes to `handle`.
template <class Message, class Handle>
bool read_layers(Bytes bytes, Message& message, LayerFields<Message> layers, Handle handle) {
  return each_field(bytes, [&](const WireReader& field) {
    if (field.wire() == Wire::Bytes)
      for (const auto& [number, layer] : layers)
        if (number == field.field()) return read(field.bytes(), message.*layer);
    return handle(field);
  });
}

template <class Message>
bool read_layers(Bytes bytes, Message& message, LayerFields<Message> layers) {
  return read_layers(bytes, message, layers, [](const WireReader&) { return true; });
}

bool read(Bytes bytes, ConvBlock& block) {
  using B = ConvBlock;
  return read_layers<B>(bytes, block,
                        {{1, &B::weights},
                         {2, &B::biases},
                         {3, &B::bn_means},
                         {4, &B::bn_stddivs},
                         {5, &B::bn_gammas},
                         {6, &B::bn_betas}});
}

bool read(Bytes bytes, SeUnit& unit) {
  using S = SeUnit;
  return read_layers<S>(bytes, unit, {{1, &S::w1}, {2, &S::b1}, {3, &S::w2}, {4, &S::b2}});
}

bool read(Bytes bytes, Residual& residual) {
  return each_field(bytes, [&](const WireReader& field) {
    if (field.is(1, Wire::Bytes)) return read(field.bytes(), residual.conv1);
    if (field.is(2, Wire::Bytes)) return read(field.bytes(), residual.conv2);
    if (field.is(3, Wire::Bytes)) return read(field.bytes(), residual.se);
    return true;
  });
}

bool read(Bytes bytes, Smolgen& smolgen) {
  using S = Smolgen;
  return read_layers<S>(bytes, smolgen,
                        {{1, &S::compress},
                         {2, &S::dense1_w},
                         {3, &S::dense1_b},
                         {4, &S::ln1_gammas},
                         {5, &S::ln1_betas},
                         {6, &S::dense2_w},
                         {7, &S::dense2_b},
                         {8, &S::ln2_gammas},
                         {9, &S::ln2_betas}});
}

bool read(Bytes bytes, Mha& mha) {
  using M = Mha;
  return read_layers<M>(bytes, mha,
                        {{1, &M::q_w},
                         {2, &M::q_b},
                         {3, &M::k_w},
                         {4, &M::k_b},
                         {5, &M::v_w},
                         {6, &M::v_b},
                         {7, &M::dense_w},
                         {8, &M::dense_b},
                         {10, &M::rpe_q},
                         {11, &M::rpe_k},
                         {12, &M::rpe_v}},
                        [&](const WireReader& field) {
                          return !field.is(9, Wire::Bytes) || read(field.bytes(), mha.smolgen);
                        });
}

bool read(Bytes bytes, Ffn& ffn) {
  using F = Ffn;
  return read_layers<F>(
      bytes, ffn, {{1, &F::dense1_w}, {2, &F::dense1_b}, {3, &F::dense2_w}, {4, &F::dense2_b}});
}

bool read(Bytes bytes, EncoderLayer& layer) {
  using E = EncoderLayer;
  return read_layers<E>(
      bytes, layer,
      {{2, &E::ln1_gammas}, {3, &E::ln1_betas}, {5, &E::ln2_gammas}, {6, &E::ln2_betas}},
      [&](const WireReader& field) {
        if (field.is(1, Wire::Bytes)) return read(field.bytes(), layer.mha);
        if (field.is(4, Wire::Bytes)) return read(field.bytes(), layer.ffn);
        return true;
      });
}

// Repeated messages. An empty one takes two bytes of the file and a thousand of memory, so there is
// a limit, far above the layers of any network.
template <class Message>
bool append(Bytes bytes, std::vector<Message>& messages) {
  constexpr std::size_t kMost = 512;
  return messages.size() < kMost && read(bytes, messages.emplace_back());
}

bool read(Bytes bytes, PolicyHead& head) {
  using P = PolicyHead;
  head.present = true;
  return read_layers<P>(bytes, head,
                        {{1, &P::ip_pol_w},
                         {2, &P::ip_pol_b},
                         {3, &P::ip2_pol_w},
                         {4, &P::ip2_pol_b},
                         {5, &P::ip3_pol_w},
                         {6, &P::ip3_pol_b},
                         {7, &P::ip4_pol_w}},
                        [&](const WireReader& field) {
                          if (field.is(8, Wire::Bytes))
                            return append(field.bytes(), head.pol_encoder);
                          if (field.is(9, Wire::Varint))
                            head.pol_headcount = static_cast<std::uint32_t>(field.number());
                          if (field.is(10, Wire::Bytes)) return read(field.bytes(), head.policy1);
                          if (field.is(11, Wire::Bytes)) return read(field.bytes(), head.policy);
                          return true;
                        });
}

bool read(Bytes bytes, ValueHead& head) {
  using V = ValueHead;
  head.present = true;
  return read_layers<V>(bytes, head,
                        {{1, &V::ip_val_w},
                         {2, &V::ip_val_b},
                         {3, &V::ip1_val_w},
                         {4, &V::ip1_val_b},
                         {5, &V::ip2_val_w},
                         {6, &V::ip2_val_b}},
                        [&](const WireReader& field) {
                          return !field.is(11, Wire::Bytes) || read(field.bytes(), head.value);
                        });
}

bool read(Bytes bytes, PolicyHeads& heads) {
  using P = PolicyHeads;
  heads.present = true;
  return read_layers<P>(bytes, heads, {{1, &P::ip_pol_w}, {2, &P::ip_pol_b}},
                        [&](const WireReader& field) {
                          if (field.is(3, Wire::Bytes)) return read(field.bytes(), heads.vanilla);
                          if (field.is(4, Wire::Bytes))
                            return read(field.bytes(), heads.optimistic_st);
                          if (field.is(5, Wire::Bytes)) return read(field.bytes(), heads.soft);
                          if (field.is(6, Wire::Bytes)) return read(field.bytes(), heads.opponent);
                          return true;
                        });
}

bool read(Bytes bytes, ValueHeads& heads) {
  heads.present = true;
  return each_field(bytes, [&](const WireReader& field) {
    if (field.is(1, Wire::Bytes)) return read(field.bytes(), heads.winner);
    if (field.is(2, Wire::Bytes)) return read(field.bytes(), heads.q);
    if (field.is(3, Wire::Bytes)) return read(field.bytes(), heads.st);
    return true;
  });
}

// The layers that stand directly in the weights.
Layer* layer_of(Weights& weights, std::uint32_t field) {
  PolicyHead& policy = weights.policy;
  ValueHead& value = weights.value;
  MovesLeftHead& moves_left = weights.moves_left;
  switch (field) {
    case 4: return &policy.ip_pol_w;
    case 5: return &policy.ip_pol_b;
    case 7: return &value.ip1_val_w;
    case 8: return &value.ip1_val_b;
    case 9: return &value.ip2_val_w;
    case 10: return &value.ip2_val_b;
    case 13: return &moves_left.ip1_mov_w;
    case 14: return &moves_left.ip1_mov_b;
    case 15: return &moves_left.ip2_mov_w;
    case 16: return &moves_left.ip2_mov_b;
    case 17: return &policy.ip2_pol_w;
    case 18: return &policy.ip2_pol_b;
    case 19: return &policy.ip3_pol_w;
    case 20: return &policy.ip3_pol_b;
    case 22: return &policy.ip4_pol_w;
    case 25: return &weights.ip_emb_w;
    case 26: return &weights.ip_emb_b;
    case 29: return &value.ip_val_w;
    case 30: return &value.ip_val_b;
    case 31: return &moves_left.ip_mov_w;
    case 32: return &moves_left.ip_mov_b;
    case 33: return &weights.ip_mult_gate;
    case 34: return &weights.ip_add_gate;
    case 35: return &weights.smolgen_w;
    case 37: return &weights.ip_emb_preproc_w;
    case 38: return &weights.ip_emb_preproc_b;
    case 39: return &weights.ip_emb_ln_gammas;
    case 40: return &weights.ip_emb_ln_betas;
    case 42: return &weights.ip_emb_ffn_ln_gammas;
    case 43: return &weights.ip_emb_ffn_ln_betas;
    default: return nullptr;
  }
}

bool read_message(Weights& weights, const WireReader& field) {
  const Bytes bytes = field.bytes();
  switch (field.field()) {
    case 1: return read(bytes, weights.input);
    case 2: return append(bytes, weights.residual);
    case 3: return read(bytes, weights.policy.policy);
    case 6: return read(bytes, weights.value.value);
    case 11: return read(bytes, weights.policy.policy1);
    case 12: return read(bytes, weights.moves_left.moves_left);
    case 21: return append(bytes, weights.policy.pol_encoder);
    case 27: return append(bytes, weights.encoder);
    case 41: return read(bytes, weights.ip_emb_ffn);
    case 44: return read(bytes, weights.value_heads);
    case 45: return read(bytes, weights.policy_heads);
    default: return true;
  }
}

bool read(Bytes bytes, Weights& weights) {
  weights.present = true;
  return each_field(bytes, [&](const WireReader& field) {
    if (field.is(24, Wire::Varint))
      weights.policy.pol_headcount = static_cast<std::uint32_t>(field.number());
    if (field.is(28, Wire::Varint)) weights.headcount = static_cast<std::uint32_t>(field.number());
    if (field.wire() != Wire::Bytes) return true;
    Layer* const layer = layer_of(weights, field.field());
    return layer != nullptr ? read(field.bytes(), *layer) : read_message(weights, field);
  });
}

bool read(Bytes bytes, NetworkFormat& format) {
  format.present = true;
  return each_field(bytes, [&](const WireReader& field) {
    if (field.wire() != Wire::Varint) return true;
    const std::uint64_t number = field.number();
    switch (field.field()) {
      case 1: format.input = number; break;
      case 2: format.output = number; break;
      case 3: format.network = number; break;
      case 4: format.policy = number; break;
      case 5: format.value = number; break;
      case 6: format.moves_left = number; break;
      case 7: format.default_activation = number; break;
      case 8: format.smolgen_activation = number; break;
      case 9: format.ffn_activation = number; break;
      case 10:
        format.input_embedding = number;
        format.has_input_embedding = true;
        break;
      default: break;
    }
    return true;
  });
}

bool read(Bytes bytes, TrainingParams& training) {
  return each_field(bytes, [&](const WireReader& field) {
    if (field.is(1, Wire::Varint)) training.training_steps = field.number();
    if (field.is(2, Wire::Fixed32)) training.learning_rate = field.as_float();
    if (field.is(3, Wire::Fixed32)) training.mse_loss = field.as_float();
    if (field.is(4, Wire::Fixed32)) training.policy_loss = field.as_float();
    if (field.is(5, Wire::Fixed32)) training.accuracy = field.as_float();
    return true;
  });
}

// The message around the format of the network says besides how old files encode their numbers,
// and there is only one way.
bool read_format(Bytes bytes, NetworkFormat& format) {
  return each_field(bytes, [&](const WireReader& field) {
    return !field.is(2, Wire::Bytes) || read(field.bytes(), format);
  });
}

}  // namespace

bool has_magic(Bytes protobuf) {
  WireReader fields(protobuf);
  return fields.next() && fields.is(1, Wire::Fixed32) && fields.number() == kMagic;
}

Result<Net> parse_net(Bytes protobuf) {
  if (!has_magic(protobuf)) return Error{"this is no network of Leela: it begins with other bytes"};
  Net net;
  std::uint32_t at = 0;
  const bool whole = each_field(protobuf, [&](const WireReader& field) {
    at = field.field();
    if (field.is(2, Wire::Bytes)) net.license = field.text();
    if (field.is(4, Wire::Bytes)) return read_format(field.bytes(), net.format);
    if (field.is(5, Wire::Bytes)) return read(field.bytes(), net.training);
    if (field.is(10, Wire::Bytes)) return read(field.bytes(), net.weights);
    if (field.is(11, Wire::Bytes)) net.has_onnx_model = true;
    return true;
  });
  if (!whole) return Error{fmt::format("the network file is damaged or cut short in field {}", at)};
  if (!net.weights.present)
    return Error{net.has_onnx_model ? "the file holds an ONNX model instead of weights"
                                    : "the file holds no weights"};
  return net;
}

}  // namespace aleph::nets::leela
