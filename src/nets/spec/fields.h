// The fields of descriptions, each with its name and range. This is the only list of them: reading,
// writing and checking are visitors of it.
//
// A visitor has:
//   choice(name, enumeration, needed)      a word; `needed`: it has no usual value
//   optional_choice(name, optional)
//   whole(name, int, Whole), decimal(name, double, Decimal), flag(name, bool)
//   part(name, spec), optional_part(name, optional spec)
#pragma once

#include <concepts>
#include <type_traits>

#include "nets/spec/net_spec.h"

namespace aleph::nets {

struct Whole {
  int low, high;
};
struct Decimal {
  double low, high;
};

// Far beyond any network that would run on a CPU; they keep mistakes from becoming allocations.
inline constexpr int kMostWidth = 4096, kMostHidden = 16'384, kMostLayers = 128, kMostHeads = 256;
inline constexpr std::size_t kLongestName = 200;

inline constexpr Whole kWidth{1, kMostWidth}, kWidthOrNone{0, kMostWidth};
inline constexpr Whole kHidden{1, kMostHidden}, kHiddenOrNone{0, kMostHidden};
inline constexpr Whole kLayers{1, kMostLayers}, kHeads{1, kMostHeads};
inline constexpr Decimal kEpsilon{1e-12, 0.1}, kDropout{0, 0.95}, kResidualScale{1e-4, 100};

template <class Spec, class Plain>
concept SpecOf = std::same_as<std::remove_const_t<Spec>, Plain>;

template <class Visitor, SpecOf<InputSpec> Spec>
void visit_fields(Visitor& visitor, Spec& spec) {
  visitor.choice("kind", spec.kind, true);
  visitor.choice("normalization", spec.normalization);
  visitor.whole("format", spec.format, Whole{1, 133});
}

template <class Visitor, SpecOf<ResnetSpec> Spec>
void visit_fields(Visitor& visitor, Spec& spec) {
  visitor.whole("channels", spec.channels, kWidth);
  visitor.whole("blocks", spec.blocks, kLayers);
  visitor.whole("squeeze", spec.squeeze, kWidthOrNone);
  visitor.flag("batch_norm", spec.batch_norm);
  visitor.choice("activation", spec.activation);
  visitor.decimal("dropout", spec.dropout, kDropout);
}

template <class Visitor, SpecOf<SmolgenSpec> Spec>
void visit_fields(Visitor& visitor, Spec& spec) {
  visitor.whole("compressed", spec.compressed, kWidthOrNone);
  visitor.whole("hidden", spec.hidden, kWidth);
  visitor.whole("generated", spec.generated, kWidth);
  visitor.choice("activation", spec.activation);
  visitor.decimal("epsilon", spec.epsilon, kEpsilon);
  visitor.flag("biases", spec.biases);
}

template <class Visitor, SpecOf<EmbeddingSpec> Spec>
void visit_fields(Visitor& visitor, Spec& spec) {
  visitor.choice("positions", spec.positions);
  visitor.whole("dense_width", spec.dense_width, kWidthOrNone);
  visitor.flag("scaled", spec.scaled);
  visitor.choice("activation", spec.activation);
  visitor.flag("norm", spec.norm);
  visitor.flag("gates", spec.gates);
  visitor.whole("feed_forward", spec.feed_forward, kHiddenOrNone);
  visitor.whole("rating_width", spec.rating_width, kWidthOrNone);
  visitor.decimal("epsilon", spec.epsilon, kEpsilon);
}

template <class Visitor, SpecOf<TransformerSpec> Spec>
void visit_fields(Visitor& visitor, Spec& spec) {
  visitor.whole("width", spec.width, kWidth);
  visitor.whole("layers", spec.layers, kLayers);
  visitor.whole("heads", spec.heads, kHeads);
  visitor.whole("feed_forward", spec.feed_forward, kHidden);
  visitor.whole("attention_width", spec.attention_width, kWidthOrNone);
  visitor.part("embedding", spec.embedding);
  visitor.choice("norm", spec.norm);
  visitor.flag("pre_norm", spec.pre_norm);
  visitor.decimal("epsilon", spec.epsilon, kEpsilon);
  visitor.flag("qk_norm", spec.qk_norm);
  visitor.flag("attention_biases", spec.attention_biases);
  visitor.flag("feed_forward_biases", spec.feed_forward_biases);
  visitor.choice("activation", spec.activation);
  visitor.flag("relative_bias", spec.relative_bias);
  visitor.optional_part("smolgen", spec.smolgen);
  visitor.decimal("residual_scale", spec.residual_scale, kResidualScale);
  visitor.flag("final_norm", spec.final_norm);
  visitor.optional_choice("final_norm_kind", spec.final_norm_kind);
  visitor.decimal("final_epsilon", spec.final_epsilon, kEpsilon);
  visitor.decimal("dropout", spec.dropout, kDropout);
}

template <class Visitor, SpecOf<HeadSpec> Spec>
void visit_fields(Visitor& visitor, Spec& spec) {
  visitor.choice("kind", spec.kind, true);
  visitor.choice("from", spec.from);
  visitor.choice("form", spec.form);
  visitor.whole("channels", spec.channels, kWidthOrNone);
  visitor.whole("hidden", spec.hidden, kHiddenOrNone);
  visitor.whole("width", spec.width, kWidthOrNone);
  visitor.whole("encoders", spec.encoders, Whole{0, kMostLayers});
  visitor.whole("encoder_heads", spec.encoder_heads, kHeads);
  visitor.whole("encoder_feed_forward", spec.encoder_feed_forward, kHiddenOrNone);
  visitor.choice("activation", spec.activation);
  visitor.choice("encoder_activation", spec.encoder_activation);
  visitor.flag("activated_logits", spec.activated_logits);
  visitor.flag("norm", spec.norm);
  visitor.flag("biases", spec.biases);
}

}  // namespace aleph::nets
