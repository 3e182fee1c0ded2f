// The parts of a network, each added to a graph by a file of its own.
#pragma once

#include <string>

#include "nets/graph/builder.h"
#include "nets/spec/net_spec.h"

namespace aleph::nets {

// What the trunk made, and what heads need to know of it.
struct Features {
  ValueId rows = 0;          // all of them
  int first_square = 0;      // the row of a1; the other squares follow
  bool by_channels = false;  // heads flatten channel by channel, as torch does it for resnets
  bool batch_norm = false;   // layers of heads for each square have one, too
};

// A layer of a transformer. `rows` of the value are kept.
struct EncoderLayer {
  int heads = 1, attention_width = 0, feed_forward = 0;
  NormKind norm = NormKind::LayerNorm;
  bool pre_norm = false;
  double epsilon = 1e-6;
  bool qk_norm = false, attention_biases = true, feed_forward_biases = true;
  bool relative_bias = false;
  Activation activation = Activation::Relu;
  double residual_scale = 1;
  const SmolgenSpec* smolgen = nullptr;
  TensorId smolgen_weight = 0;  // of all layers
};
ValueId add_encoder_layer(GraphBuilder& graph, ValueId in, const std::string& name,
                          const EncoderLayer& layer);
// norm(x + scale * second(activation(first(x)))) or its form with the norm in front.
struct FeedForward {
  int hidden = 0;
  Activation activation = Activation::Relu;
  bool biases = true;
};
ValueId add_feed_forward(GraphBuilder& graph, ValueId in, const std::string& name,
                         const FeedForward& layers);

ValueId add_embedding(GraphBuilder& graph, const InputSpec& input, const TransformerSpec& trunk);
Features add_trunk(GraphBuilder& graph, const NetSpec& spec);
void add_head(GraphBuilder& graph, const Features& features, const HeadSpec& head);

}  // namespace aleph::nets
