// What a network is: what it is given, how it thinks, what it answers. Written in YAML by people
// (configs/models), and as JSON inside weights files. docs/6-networks.md explains every field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "nets/encode/normalization.h"

namespace aleph::nets {

enum class Activation : std::uint8_t { None, Relu, Mish, Swish, Relu2, Selu, Gelu, Tanh, Sigmoid };
enum class NormKind : std::uint8_t { LayerNorm, RmsNorm };

enum class InputKind : std::uint8_t {
  Planes16,
  Planes18,
  Planes20,
  Planes112,
  Tokens69,
  Tokens74,
  Boards96,  // Maia-3: eight boards of twelve planes, and two ratings
};

struct InputSpec {
  InputKind kind = InputKind::Planes16;
  Normalization normalization = Normalization::Flip;
  int format = 1;  // planes112: Leela's number of the input format (1 to 5, 132, 133)
  friend bool operator==(const InputSpec&, const InputSpec&) = default;
};

struct ResnetSpec {
  int channels = 64, blocks = 6;
  int squeeze = 0;         // hidden numbers of squeeze and excitation; 0: none
  bool batch_norm = true;  // false: the convolutions have biases instead
  Activation activation = Activation::Relu;
  double dropout = 0;
  friend bool operator==(const ResnetSpec&, const ResnetSpec&) = default;
};

// Biases of attention that the network makes of the position itself.
struct SmolgenSpec {
  int compressed = 32;  // numbers per square; 0: the mean over squares is used instead (Maia-3)
  int hidden = 256, generated = 256;  // generated: for each head
  Activation activation = Activation::Swish;
  double epsilon = 1e-3;  // of its norms
  bool biases = true;     // of its two layers
  friend bool operator==(const SmolgenSpec&, const SmolgenSpec&) = default;
};

// How the input becomes rows of the transformer's width. Tokens have tables of words and need only
// `positions` and `scaled`.
struct EmbeddingSpec {
  enum class Positions : std::uint8_t {
    None,
    Learned,  // a table, added. tokens74: for the squares only
    Map,      // Leela's PE_MAP: 64 constants beside the planes
    Dense,    // Leela's PE_DENSE: numbers made of the whole board beside the planes
  };
  Positions positions = Positions::Learned;
  int dense_width = 0;  // Positions::Dense: numbers for each square
  bool scaled = false;  // times the root of the width (seed 002)
  Activation activation = Activation::None;
  bool norm = false;      // after the activation
  bool gates = false;     // a factor and a term for each number of each square
  int feed_forward = 0;   // hidden numbers of a feed-forward layer with residual and norm; 0: none
  int rating_width = 0;   // boards96: numbers for each of the two ratings
  double epsilon = 1e-3;  // of the norms
  friend bool operator==(const EmbeddingSpec&, const EmbeddingSpec&) = default;
};

struct TransformerSpec {
  int width = 256, layers = 6, heads = 8, feed_forward = 1024;
  int attention_width = 0;  // of queries, keys and values; 0: width
  EmbeddingSpec embedding{};
  NormKind norm = NormKind::LayerNorm;
  bool pre_norm = true;  // otherwise after each residual
  double epsilon = 1e-5;
  bool qk_norm = false;
  bool attention_biases = true;  // of queries, keys, values and output
  bool feed_forward_biases = true;
  Activation activation = Activation::Relu;  // of the feed-forward layers
  bool relative_bias = false;
  std::optional<SmolgenSpec> smolgen{};
  double residual_scale = 1;  // of what is added to the residual
  bool final_norm = true;
  double dropout = 0;
  std::optional<NormKind> final_norm_kind{};  // missing: as norm
  double final_epsilon = 1e-5;
  friend bool operator==(const TransformerSpec&, const TransformerSpec&) = default;
};

enum class HeadKind : std::uint8_t {
  FromTo,         // 64 logits of origins, 64 of targets
  Move4096,       // from_to.h
  Promotion4,     // from_to.h
  Attention4096,  // Move4096 by queries (origins) and keys (targets)
  Policy1858,     // Leela's moves
  Policy4352,     // Maia-3's
  Value,          // tanh, the mover's view
  Wdl,            // three logits: win, draw, loss of the mover
  MovesLeft,      // plies, never negative
  ThinkTime,      // seconds
};

struct HeadSpec {
  HeadKind kind = HeadKind::Move4096;
  // Where it begins. Squares: the rows of the 64 squares, one behind the other. Cls: the first
  // token. Mean: of all rows.
  enum class From : std::uint8_t { Squares, Cls, Mean } from = From::Squares;
  // Policy1858 from squares: through a linear layer, 80 planes, or queries and keys.
  enum class Form : std::uint8_t { Linear, Convolution, Attention } form = Form::Linear;
  int channels = 0;  // a layer for each square first (a 1x1 convolution), with this many; 0: none.
                     // Form::Convolution: of the 3x3 convolution before the planes
  int hidden = 0;    // a hidden layer behind it; 0: none
  int width = 0;     // of queries and keys; 0: as the rows they are made of
  int encoders = 0, encoder_heads = 1, encoder_feed_forward = 0;  // Form::Attention, before them
  Activation activation = Activation::Relu;
  Activation encoder_activation = Activation::Relu;
  bool activated_logits =
      false;           // FromTo: seed 002's relu on logits, two channels of which one counts
  bool norm = false;   // Mean: of the mean, before the layers
  bool biases = true;  // of queries and keys
  friend bool operator==(const HeadSpec&, const HeadSpec&) = default;
};

struct NetSpec {
  std::string name;
  InputSpec input;
  std::variant<ResnetSpec, TransformerSpec> trunk;
  std::vector<HeadSpec> heads;
  friend bool operator==(const NetSpec&, const NetSpec&) = default;
};

}  // namespace aleph::nets
