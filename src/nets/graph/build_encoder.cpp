// The layers of transformers: attention and feed-forward.
#include <cmath>

#include "nets/graph/parts.h"

namespace aleph::nets {
namespace {

// Biases of all pairs of rows, made of the rows themselves: one row for each head.
ValueId add_smolgen(GraphBuilder& graph, ValueId in, const std::string& name,
                    const EncoderLayer& layer) {
  const SmolgenSpec& smolgen = *layer.smolgen;
  const GraphBuilder::LinearOptions options{smolgen.biases, smolgen.activation};
  const auto layer_norm = [&](ValueId value, const char* norm) {
    return graph.norm(value, name + norm, NormKind::LayerNorm, smolgen.epsilon);
  };
  ValueId x =
      smolgen.compressed == 0
          ? graph.add(step::MeanRows{in})
          : graph.flat(graph.linear(in, name + ".compress", smolgen.compressed, {.bias = false}));
  x = layer_norm(graph.linear(x, name + ".linear1", smolgen.hidden, options), ".norm1");
  x = graph.linear(x, name + ".linear2", layer.heads * smolgen.generated, options);
  x = layer_norm(x, ".norm2");
  x = graph.add(step::Reshape{x, {layer.heads, smolgen.generated}});
  return graph.add(step::Linear{.in = x, .weight = layer.smolgen_weight});
}

ValueId add_attention(GraphBuilder& graph, ValueId in, const std::string& name,
                      const EncoderLayer& layer) {
  const int width = layer.attention_width;
  const std::string part = name + ".attention.";
  const GraphBuilder::LinearOptions options{.bias = layer.attention_biases};
  step::Attention step{.heads = layer.heads, .depth = width / layer.heads};
  step.queries.value = graph.linear(in, part + "query", width, options);
  step.keys.value = graph.linear(in, part + "key", width, options);
  step.values.value = graph.linear(in, part + "value", width, options);
  if (layer.qk_norm) {
    step.query_gain = graph.parameter(part + "query_norm.weight", {step.depth});
    step.key_gain = graph.parameter(part + "key_norm.weight", {step.depth});
    step.epsilon = static_cast<float>(layer.epsilon);
  }
  if (layer.relative_bias)
    step.relative_bias = graph.parameter(part + "relative_bias", {layer.heads, 225});
  if (layer.smolgen != nullptr) step.bias = add_smolgen(graph, in, name + ".smolgen", layer);
  return graph.linear(graph.add(step), part + "output", graph.width(in), options);
}

}  // namespace

ValueId add_feed_forward(GraphBuilder& graph, ValueId in, const std::string& name,
                         const FeedForward& layers) {
  const ValueId hidden =
      graph.linear(in, name + ".linear1", layers.hidden, {layers.biases, layers.activation});
  return graph.linear(hidden, name + ".linear2", graph.width(in), {.bias = layers.biases});
}

ValueId add_encoder_layer(GraphBuilder& graph, ValueId in, const std::string& name,
                          const EncoderLayer& layer) {
  const float scale = static_cast<float>(layer.residual_scale);
  // Norms stand before what they are for, or behind the residual around it.
  const auto residual = [&](ValueId x, const char* norm, auto&& part) {
    const auto normed = [&](ValueId value) {
      return graph.norm(value, name + norm, layer.norm, layer.epsilon);
    };
    if (layer.pre_norm) return graph.add(step::Add{x, part(normed(x)), scale});
    return normed(graph.add(step::Add{x, part(x), scale}));
  };
  const ValueId x = residual(
      in, ".norm1", [&](ValueId value) { return add_attention(graph, value, name, layer); });
  return residual(x, ".norm2", [&](ValueId value) {
    return add_feed_forward(graph, value, name + ".feed_forward",
                            {layer.feed_forward, layer.activation, layer.feed_forward_biases});
  });
}

}  // namespace aleph::nets
