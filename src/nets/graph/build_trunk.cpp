#include "nets/encode/encoder.h"
#include "nets/graph/parts.h"

namespace aleph::nets {
namespace {

constexpr int kSquares = 64;

// NAME.weight, and NAME.bias or the batch norm NORM.*
ValueId add_convolution(GraphBuilder& graph, ValueId in, const std::string& name,
                        const std::string& norm, const ResnetSpec& trunk, Activation activation) {
  if (!trunk.batch_norm)
    return graph.convolution3x3(in, name, trunk.channels, {.activation = activation});
  const ValueId x = graph.convolution3x3(in, name, trunk.channels, {.bias = false});
  return graph.batch_norm(x, norm, activation);
}

ValueId add_block(GraphBuilder& graph, ValueId in, const std::string& name,
                  const ResnetSpec& trunk) {
  ValueId y = add_convolution(graph, in, name + "conv1", name + "norm1", trunk, trunk.activation);
  y = add_convolution(graph, y, name + "conv2", name + "norm2", trunk, Activation::None);
  if (trunk.squeeze == 0) return graph.add(step::Add{in, y, 1, trunk.activation});
  const std::string squeeze = name + "squeeze.linear";
  step::SqueezeExcite step{.in = y, .residual = in, .activation = trunk.activation};
  step.weight1 = graph.parameter(squeeze + "1.weight", {trunk.squeeze, trunk.channels});
  step.bias1 = graph.parameter(squeeze + "1.bias", {trunk.squeeze});
  step.weight2 = graph.parameter(squeeze + "2.weight", {2 * trunk.channels, trunk.squeeze});
  step.bias2 = graph.parameter(squeeze + "2.bias", {2 * trunk.channels});
  return graph.add(step);
}

Features add_resnet(GraphBuilder& graph, const InputSpec& input, const ResnetSpec& trunk) {
  const ValueId planes =
      graph.add(step::Input{step::Input::Kind::Planes, {kSquares, sizes_of(input).planes}});
  ValueId x =
      add_convolution(graph, planes, "trunk.input", "trunk.input.norm", trunk, trunk.activation);
  for (int i = 0; i < trunk.blocks; ++i)
    x = add_block(graph, x, "trunk.block." + std::to_string(i) + ".", trunk);
  return {.rows = x, .by_channels = true, .batch_norm = trunk.batch_norm};
}

Features add_transformer(GraphBuilder& graph, const InputSpec& input,
                         const TransformerSpec& trunk) {
  ValueId x = add_embedding(graph, input, trunk);
  EncoderLayer layer{
      .heads = trunk.heads,
      .attention_width = trunk.attention_width == 0 ? trunk.width : trunk.attention_width,
      .feed_forward = trunk.feed_forward,
      .norm = trunk.norm,
      .pre_norm = trunk.pre_norm,
      .epsilon = trunk.epsilon,
      .qk_norm = trunk.qk_norm,
      .attention_biases = trunk.attention_biases,
      .feed_forward_biases = trunk.feed_forward_biases,
      .relative_bias = trunk.relative_bias,
      .activation = trunk.activation,
      .residual_scale = trunk.residual_scale};
  if (trunk.smolgen) {
    const int rows = graph.rows(x);
    layer.smolgen = &*trunk.smolgen;
    layer.smolgen_weight =
        graph.parameter("trunk.smolgen.weight", {rows * rows, trunk.smolgen->generated});
  }
  for (int i = 0; i < trunk.layers; ++i)
    x = add_encoder_layer(graph, x, "trunk.layer." + std::to_string(i), layer);
  if (trunk.final_norm)
    x = graph.norm(x, "trunk.norm", trunk.final_norm_kind.value_or(trunk.norm),
                   trunk.final_epsilon);
  const int first_square = input.kind == InputKind::Tokens69   ? 5
                           : input.kind == InputKind::Tokens74 ? 1
                                                               : 0;
  return {.rows = x, .first_square = first_square};
}

}  // namespace

Features add_trunk(GraphBuilder& graph, const NetSpec& spec) {
  if (const auto* const resnet = std::get_if<ResnetSpec>(&spec.trunk))
    return add_resnet(graph, spec.input, *resnet);
  return add_transformer(graph, spec.input, *std::get_if<TransformerSpec>(&spec.trunk));
}

}  // namespace aleph::nets
