#include <cmath>

#include "nets/encode/policy1858.h"
#include "nets/graph/check.h"
#include "nets/graph/parts.h"
#include "nets/spec/names.h"

namespace aleph::nets {
namespace {

using Form = HeadSpec::Form;
using From = HeadSpec::From;

constexpr int kSquares = 64;
constexpr float kPromotionScale = 16;     // Maia-3's
constexpr double kHeadEpsilon = 1e-5;     // of the norm of a mean
constexpr double kEncoderEpsilon = 1e-6;  // of Leela's encoders in policy heads

class HeadBuilder {
 public:
  HeadBuilder(GraphBuilder& graph, const Features& features, const HeadSpec& head)
      : graph_(graph),
        features_(features),
        head_(head),
        name_("head." + std::string(name_of(head.kind)) + ".") {}

  void build() { graph_.output(head_, answer()); }

 private:
  ValueId answer() {
    switch (head_.kind) {
      case HeadKind::FromTo: return from_to();
      case HeadKind::Attention4096: return graph_.flat(pair_scores().scores);
      case HeadKind::Policy4352: return policy4352();
      case HeadKind::Value: return linear_answer(Activation::Tanh);
      case HeadKind::MovesLeft: return linear_answer(Activation::Relu);
      case HeadKind::Move4096:
      case HeadKind::Promotion4:
      case HeadKind::Wdl:
      case HeadKind::ThinkTime: return linear_answer(Activation::None);
      case HeadKind::Policy1858: break;
    }
    switch (head_.form) {
      case Form::Linear: return linear_answer(Activation::None);
      case Form::Convolution: return convolution_policy();
      case Form::Attention: break;
    }
    return attention_policy();
  }

  // The same layer for every square, with a batch norm where the trunk has them.
  ValueId per_square(ValueId in, const std::string& name, int out, Activation activation) {
    if (!features_.batch_norm) return graph_.linear(in, name, out, {.activation = activation});
    const ValueId x = graph_.linear(in, name, out, {.bias = false});
    return graph_.batch_norm(x, name + ".norm", activation);
  }

  ValueId squares() { return graph_.take_rows(features_.rows, features_.first_square, kSquares); }

  // The squares, behind the head's own layer for each of them, if it has one.
  ValueId own_squares() {
    const ValueId x = squares();
    if (head_.channels == 0) return x;
    return per_square(x, name_ + "squares", head_.channels, head_.activation);
  }

  // One row, whatever the head begins with.
  ValueId start() {
    if (head_.from == From::Cls) return graph_.take_rows(features_.rows, 0, 1);
    if (head_.from == From::Mean) {
      const ValueId mean = graph_.add(step::MeanRows{features_.rows});
      if (!head_.norm) return mean;
      return graph_.norm(mean, name_ + "norm", NormKind::LayerNorm, kHeadEpsilon);
    }
    const ValueId x = own_squares();
    return features_.by_channels ? graph_.flat_by_columns(x) : graph_.flat(x);
  }

  ValueId linear_answer(Activation last) {
    ValueId x = start();
    if (head_.hidden > 0)
      x = graph_.linear(x, name_ + "hidden", head_.hidden, {.activation = head_.activation});
    return graph_.linear(x, name_ + "output", outputs_of(head_.kind), {.activation = last});
  }

  ValueId from_to() {
    const ValueId x = own_squares();
    const auto logits = [&](const char* which) {
      if (!head_.activated_logits) return graph_.linear(x, name_ + which, 1);
      const ValueId both = per_square(x, name_ + which, 2, Activation::Relu);
      return graph_.add(step::TakeColumns{both, 0, 1});
    };
    const ValueId from = logits("from"), to = logits("to");
    return graph_.flat_by_columns(graph_.add(step::Concat{{from, to}}));
  }

  struct Pairs {
    ValueId scores = 0, keys = 0;
  };
  // How well each origin goes with each target.
  Pairs pair_scores() {
    ValueId x = own_squares();
    const EncoderLayer encoder{.heads = head_.encoder_heads,
                               .attention_width = graph_.width(x),
                               .feed_forward = head_.encoder_feed_forward,
                               .epsilon = kEncoderEpsilon,
                               .activation = head_.encoder_activation};
    for (int i = 0; i < head_.encoders; ++i)
      x = add_encoder_layer(graph_, x, name_ + "encoder." + std::to_string(i), encoder);
    const int width = head_.width == 0 ? graph_.width(x) : head_.width;
    const ValueId queries = graph_.linear(x, name_ + "query", width, {.bias = head_.biases});
    const ValueId keys = graph_.linear(x, name_ + "key", width, {.bias = head_.biases});
    const float scale = 1.0F / std::sqrt(static_cast<float>(width));
    return {graph_.add(step::PairScores{queries, keys, scale}), keys};
  }

  // Four numbers for each file, of the keys of the last rank.
  ValueId promotion_offsets(ValueId keys) {
    const ValueId last_rank = graph_.take_rows(keys, kSquares - 8, 8);
    return graph_.linear(last_rank, name_ + "promotion", 4, {.bias = false});
  }

  ValueId policy4352() {
    const Pairs pairs = pair_scores();
    const ValueId promotions =
        graph_.add(step::PromotionScores{.scores = pairs.scores,
                                         .offsets = promotion_offsets(pairs.keys),
                                         .pieces = 4,
                                         .add_last = false,
                                         .scale = kPromotionScale});
    return graph_.add(step::Concat{{graph_.flat(pairs.scores), promotions}});
  }

  ValueId attention_policy() {
    const Pairs pairs = pair_scores();
    const ValueId promotions = graph_.add(
        step::PromotionScores{.scores = pairs.scores, .offsets = promotion_offsets(pairs.keys)});
    const auto& places = policy1858_from_attention();
    return graph_.add(step::Gather{{pairs.scores, promotions}, {places.begin(), places.end()}});
  }

  ValueId convolution_policy() {
    const std::string first = name_ + "conv1";
    const bool batch_norm = features_.batch_norm;
    ValueId x = graph_.convolution3x3(
        squares(), first, head_.channels,
        {.bias = !batch_norm, .activation = batch_norm ? Activation::None : head_.activation});
    if (batch_norm) x = graph_.batch_norm(x, first + ".norm", head_.activation);
    const ValueId planes = graph_.convolution3x3(x, name_ + "conv2", kPolicyPlanes, {});
    const auto& places = policy1858_from_planes();
    return graph_.add(step::Gather{{planes}, {places.begin(), places.end()}});
  }

  GraphBuilder& graph_;
  const Features& features_;
  const HeadSpec& head_;
  const std::string name_;
};

}  // namespace

void add_head(GraphBuilder& graph, const Features& features, const HeadSpec& head) {
  HeadBuilder(graph, features, head).build();
}

}  // namespace aleph::nets
