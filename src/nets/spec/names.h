// The words that stand for choices in descriptions. The first name of a value is the one written.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "nets/spec/net_spec.h"

namespace aleph::nets {

template <class Enum>
struct Named {
  std::string_view name;
  Enum value;
};

// All names of an enumeration.
template <class Enum>
inline constexpr std::array<Named<Enum>, 0> kNames{};

template <>
inline constexpr std::array kNames<Activation>{
    Named{"none", Activation::None},  Named{"relu", Activation::Relu},
    Named{"mish", Activation::Mish},  Named{"swish", Activation::Swish},
    Named{"silu", Activation::Swish}, Named{"relu2", Activation::Relu2},
    Named{"selu", Activation::Selu},  Named{"gelu", Activation::Gelu},
    Named{"tanh", Activation::Tanh},  Named{"sigmoid", Activation::Sigmoid},
};
template <>
inline constexpr std::array kNames<NormKind>{
    Named{"layernorm", NormKind::LayerNorm},
    Named{"rmsnorm", NormKind::RmsNorm},
};
template <>
inline constexpr std::array kNames<InputKind>{
    Named{"planes16", InputKind::Planes16}, Named{"planes18", InputKind::Planes18},
    Named{"planes20", InputKind::Planes20}, Named{"planes112", InputKind::Planes112},
    Named{"tokens69", InputKind::Tokens69}, Named{"tokens74", InputKind::Tokens74},
    Named{"boards96", InputKind::Boards96},
};
template <>
inline constexpr std::array kNames<Normalization>{
    Named{"flip", Normalization::Flip},
    Named{"rotate", Normalization::Rotate},
};
template <>
inline constexpr std::array kNames<EmbeddingSpec::Positions>{
    Named{"none", EmbeddingSpec::Positions::None},
    Named{"learned", EmbeddingSpec::Positions::Learned},
    Named{"map", EmbeddingSpec::Positions::Map},
    Named{"dense", EmbeddingSpec::Positions::Dense},
};
template <>
inline constexpr std::array kNames<HeadKind>{
    Named{"fromto", HeadKind::FromTo},
    Named{"move4096", HeadKind::Move4096},
    Named{"promotion4", HeadKind::Promotion4},
    Named{"attention4096", HeadKind::Attention4096},
    Named{"policy1858", HeadKind::Policy1858},
    Named{"policy4352", HeadKind::Policy4352},
    Named{"value", HeadKind::Value},
    Named{"wdl", HeadKind::Wdl},
    Named{"result", HeadKind::Wdl},  // as seed 003 calls it
    Named{"moves_left", HeadKind::MovesLeft},
    Named{"think_time", HeadKind::ThinkTime},
};
template <>
inline constexpr std::array kNames<HeadSpec::From>{
    Named{"squares", HeadSpec::From::Squares},
    Named{"cls", HeadSpec::From::Cls},
    Named{"mean", HeadSpec::From::Mean},
};
template <>
inline constexpr std::array kNames<HeadSpec::Form>{
    Named{"linear", HeadSpec::Form::Linear},
    Named{"convolution", HeadSpec::Form::Convolution},
    Named{"attention", HeadSpec::Form::Attention},
};

// Empty for a value that the enumeration does not have.
template <class Enum>
constexpr std::string_view name_of(Enum value) requires(kNames<Enum>.size() > 0) {
  for (const auto& named : kNames<Enum>)
    if (named.value == value) return named.name;
  return {};
}

template <class Enum>
constexpr std::optional<Enum> value_named(std::string_view name) {
  for (const auto& named : kNames<Enum>)
    if (named.name == name) return named.value;
  return std::nullopt;
}

}  // namespace aleph::nets
