// A network as a list of steps, each of which makes one value of earlier ones.
//
// A description (spec/net_spec.h) becomes a graph in one place (graph/build.h), and everything that
// runs, counts, writes or trains networks reads the graph: executor/, onnx/, and train/.
//
// A value has a shape for one position: rows times width numbers, the numbers of a row behind each
// other. Rows are squares (a1, b1 ... h8, as the side to move sees them) or tokens. Batches are the
// executor's business.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "nets/spec/net_spec.h"

namespace aleph::nets {

struct Shape {
  int rows = 0, width = 0;
  std::size_t size() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(width);
  }
  friend bool operator==(const Shape&, const Shape&) = default;
};

using ValueId = int;
using TensorId = int;

// A tensor of the weights file. Buffers (means and variances of batch norms) are not parameters.
struct TensorSpec {
  std::string name;
  std::vector<int> shape;
  bool is_parameter = true;
  std::size_t size() const;
  friend bool operator==(const TensorSpec&, const TensorSpec&) = default;
};

namespace step {

// What a position is given as. Planes: 64 rows of floats. Tokens: whole numbers, as floats, one row
// of as many as there are tokens. Context: one row of floats besides (ratings of Maia-3).
struct Input {
  enum class Kind { Planes, Tokens, Context } kind = Kind::Planes;
  Shape shape;
};
// The same for all positions.
struct Constant {
  Shape shape;
  std::vector<float> numbers;
};
// Row i becomes the row of a table that token i names. Every token belongs to one range.
struct Embed {
  struct Range {
    int first = 0, count = 0;
    TensorId table = 0;  // [words][width]
  };
  ValueId tokens = 0;
  std::vector<Range> ranges{};
  struct Positions {
    int first = 0;       // the token of the table's first row
    TensorId table = 0;  // [count][width], added
  };
  std::optional<Positions> positions{};
  float scale = 1;  // of the sum
};
// y = activation(W x + b) for each row. W is [out][in].
struct Linear {
  ValueId in = 0;
  TensorId weight = 0;
  std::optional<TensorId> bias{};
  Activation activation = Activation::None;
};
// Over the board, with zeros around it: 64 rows, a rank being a line of the picture. W is
// [out][in][size][size], size 1 or 3, as torch has it (the first line is the lower rank).
struct Convolution {
  ValueId in = 0;
  TensorId weight = 0;
  std::optional<TensorId> bias{};
  int size = 3;
  Activation activation = Activation::None;
};
// By columns, with the means and variances of training; executors fold it into the step before.
struct BatchNorm {
  ValueId in = 0;
  TensorId gain = 0, shift = 0, mean = 0, variance = 0;
  float epsilon = 1e-5F;
  Activation activation = Activation::None;
};
// Over the numbers of a row.
struct Norm {
  ValueId in = 0;
  NormKind kind = NormKind::LayerNorm;
  TensorId gain = 0;
  std::optional<TensorId> shift{};  // layer norms only
  float epsilon = 1e-5F;
};
// activation(a + scale * b)
struct Add {
  ValueId a = 0, b = 0;
  float scale = 1;
  Activation activation = Activation::None;
};
// x * factor + term, both of the shape of the value; each may be missing.
struct Gate {
  ValueId in = 0;
  std::optional<TensorId> factor{}, term{};
};
// Queries, keys and values are columns of values: a linear layer may make all three at once.
// Scores are q.k / sqrt(depth), plus a bias: a value of `heads` rows with rows * rows numbers
// (query first), or a table [heads][225] by the difference of ranks and files of two squares,
// (rank of query - rank of key + 7) * 15 + (file of query - file of key + 7).
struct Attention {
  struct Columns {
    ValueId value = 0;
    int first = 0;
  };
  Columns queries{}, keys{}, values{};
  int heads = 1, depth = 0;  // depth: numbers per head
  std::optional<ValueId> bias{};
  std::optional<TensorId> relative_bias{};
  // RMS norms of each query and key, head by head, with a gain [depth]; missing: none.
  std::optional<TensorId> query_gain{}, key_gain{};
  float epsilon = 1e-6F;  // of those
};
// y = sigmoid(z[0..C)) * x + z[C..2C), z = W2 activation(W1 mean(x) + b1) + b2; then
// activation(residual + y).
struct SqueezeExcite {
  ValueId in = 0, residual = 0;
  TensorId weight1 = 0, bias1 = 0, weight2 = 0, bias2 = 0;
  Activation activation = Activation::Relu;  // of both
};
// The columns of several values side by side; they have as many rows. A value of one row is
// repeated for all.
struct Concat {
  std::vector<ValueId> parts;
};
struct Reshape {
  ValueId in = 0;
  Shape shape;
};
struct Transpose {
  ValueId in = 0;
};
struct TakeRows {
  ValueId in = 0;
  int first = 0, count = 0;
};
struct TakeColumns {
  ValueId in = 0;
  int first = 0, count = 0;
};
struct MeanRows {
  ValueId in = 0;
};
struct Activate {
  ValueId in = 0;
  Activation activation = Activation::None;
};
// scores[i][j] = scale * a_i . b_j
struct PairScores {
  ValueId a = 0, b = 0;
  float scale = 1;
};
// Logits of promotions, one row: out[(from file * 8 + to file) * pieces + i] = scores[48 + from
// file][56 + to file] + scale * (offsets[to file][i] + (add_last ? offsets[to file][last] : 0)).
// `scores` has 64 rows and columns, `offsets` 8 rows.
struct PromotionScores {
  ValueId scores = 0, offsets = 0;
  int pieces = 3;
  bool add_last = true;
  float scale = 1;
};
// Numbers of the parts, one behind the other, by their places: one row.
struct Gather {
  std::vector<ValueId> parts;
  std::vector<int> places;
};

}  // namespace step

using Step = std::variant<step::Input, step::Constant, step::Embed, step::Linear, step::Convolution,
                          step::BatchNorm, step::Norm, step::Add, step::Gate, step::Attention,
                          step::SqueezeExcite, step::Concat, step::Reshape, step::Transpose,
                          step::TakeRows, step::TakeColumns, step::MeanRows, step::Activate,
                          step::PairScores, step::PromotionScores, step::Gather>;

struct Graph {
  std::vector<Step> steps;    // step i makes value i
  std::vector<Shape> shapes;  // of the values
  std::vector<TensorSpec> tensors;
  struct Output {
    HeadSpec head;
    ValueId value = 0;
  };
  std::vector<Output> outputs;  // in the order of the description's heads

  std::size_t parameters() const;
  // Multiplications and additions of one position, each counted as one operation.
  double flops() const;
  // Null if there is no such head.
  const Output* find(HeadKind kind) const;
};

}  // namespace aleph::nets
