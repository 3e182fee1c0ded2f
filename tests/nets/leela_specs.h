// Descriptions of networks of others, as the readers of their files make them.
#pragma once

#include <cmath>

#include "nets/spec/net_spec.h"

namespace aleph::nets::test {

inline HeadSpec squares_head(HeadKind kind, int channels, int hidden, Activation activation) {
  HeadSpec head;
  head.kind = kind;
  head.channels = channels;
  head.hidden = hidden;
  head.activation = activation;
  return head;
}

// Maia-1: a small residual network with squeeze and excitation.
inline NetSpec maia1() {
  NetSpec spec{"maia", {InputKind::Planes112}, {}, {}};
  spec.trunk = ResnetSpec{.channels = 64, .blocks = 6, .squeeze = 8, .batch_norm = false};
  HeadSpec policy = squares_head(HeadKind::Policy1858, 64, 0, Activation::Relu);
  policy.form = HeadSpec::Form::Convolution;
  spec.heads = {policy, squares_head(HeadKind::Wdl, 32, 128, Activation::Relu)};
  return spec;
}

// T1-256x10.
inline NetSpec t1() {
  TransformerSpec trunk{.width = 256, .layers = 10, .heads = 8, .feed_forward = 1024};
  trunk.embedding = {
      .positions = EmbeddingSpec::Positions::Map, .activation = Activation::Mish, .gates = true};
  trunk.pre_norm = false;
  trunk.epsilon = 1e-6;
  trunk.activation = Activation::Relu2;
  trunk.smolgen = SmolgenSpec{};
  trunk.residual_scale = std::pow(20.0, -0.25);
  trunk.final_norm = false;
  HeadSpec policy = squares_head(HeadKind::Policy1858, 256, 0, Activation::Mish);
  policy.form = HeadSpec::Form::Attention;
  policy.width = 256;
  return {"t1",
          {InputKind::Planes112},
          trunk,
          {policy, squares_head(HeadKind::Wdl, 32, 128, Activation::Mish),
           squares_head(HeadKind::MovesLeft, 8, 128, Activation::Mish)}};
}

// BT4's embedding, on a small body, with encoders in the policy head.
inline NetSpec dense_embedding() {
  NetSpec spec = t1();
  auto& trunk = *std::get_if<TransformerSpec>(&spec.trunk);
  trunk.layers = 2;
  trunk.attention_width = 128;
  trunk.embedding.positions = EmbeddingSpec::Positions::Dense;
  trunk.embedding.dense_width = 32;
  trunk.embedding.norm = true;
  trunk.embedding.feed_forward = 512;
  trunk.epsilon = 1e-3;
  spec.input.format = 5;
  HeadSpec& policy = spec.heads[0];
  policy.encoders = 2;
  policy.encoder_heads = 4;
  policy.encoder_feed_forward = 64;
  policy.encoder_activation = Activation::Relu2;
  return spec;
}

// Maia-3, 5M.
inline NetSpec maia3() {
  TransformerSpec trunk{.width = 256, .layers = 8, .heads = 8, .feed_forward = 512};
  trunk.embedding = {.positions = EmbeddingSpec::Positions::None, .rating_width = 128};
  trunk.norm = NormKind::RmsNorm;
  trunk.pre_norm = false;
  trunk.epsilon = 1.1920929e-7;
  trunk.attention_biases = false;
  trunk.activation = Activation::Gelu;
  trunk.smolgen = SmolgenSpec{.compressed = 0,
                              .hidden = 64,
                              .generated = 64,
                              .activation = Activation::Gelu,
                              .epsilon = 1e-5};
  trunk.final_norm_kind = NormKind::LayerNorm;
  HeadSpec policy;
  policy.kind = HeadKind::Policy4352;
  policy.biases = false;
  HeadSpec wdl = squares_head(HeadKind::Wdl, 0, 256, Activation::Relu);
  wdl.from = HeadSpec::From::Mean;
  wdl.norm = true;
  HeadSpec time = wdl;
  time.kind = HeadKind::ThinkTime;
  return {"maia3-5m", {InputKind::Boards96}, trunk, {policy, wdl, time}};
}

}  // namespace aleph::nets::test
