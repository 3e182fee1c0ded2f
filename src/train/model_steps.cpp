#include "train/model_steps.h"

#include <torch/torch.h>

#include <cmath>
#include <optional>

namespace aleph::train {
namespace {

using namespace nets;
using at::Tensor;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// `x` is nobody else's, and no view: it may be overwritten.
Tensor activated(Tensor x, Activation activation) {
  switch (activation) {
    case Activation::None: return x;
    case Activation::Relu: return x.relu_();
    case Activation::Mish: return at::mish(x);
    case Activation::Swish: return at::silu(x);
    case Activation::Relu2: return at::relu(x).square();
    case Activation::Selu: return at::selu(x);
    case Activation::Gelu: return at::gelu(x);
    case Activation::Tanh: return at::tanh(x);
    case Activation::Sigmoid: return at::sigmoid(x);
  }
  return x;
}

// Norms and shares are computed in full precision, whatever products are.
Tensor as_float(const Tensor& x) { return x.to(at::kFloat); }

Tensor rms_norm(const Tensor& in, const Tensor& gain, double epsilon) {
  const Tensor x = as_float(in);
  return x * (x.square().mean(-1, true) + epsilon).rsqrt() * gain;
}

// Rows of squares as pictures [positions][channels][8][8], and back. The numbers stay where they
// are: rows of channels are torch's "channels last".
Tensor as_pictures(const Tensor& x) {
  return x.transpose(1, 2).reshape({x.size(0), x.size(2), 8, 8});
}
Tensor as_rows(const Tensor& pictures) { return pictures.flatten(2).transpose(1, 2); }

// (rank of query - rank of key + 7) * 15 + (file of query - file of key + 7)
Tensor square_differences() {
  std::vector<std::int64_t> places;
  for (int query = 0; query < 64; ++query)
    for (int key = 0; key < 64; ++key)
      places.push_back((query / 8 - key / 8 + 7) * 15 + (query % 8 - key % 8 + 7));
  return at::tensor(places, at::kLong).view({64, 64});
}

}  // namespace

// By step: constants, and places of Gather; an undefined tensor for all others.
struct StepRunner::Fixed {
  std::vector<Tensor> by_step;
  Tensor square_differences;
};

namespace {

class Run {
 public:
  Run(const Graph& graph, const DropoutPlan& dropout, const std::vector<Tensor>& fixed,
      const Tensor& differences, const std::vector<Tensor>& inputs,
      const std::vector<Tensor>& tensors, std::size_t positions,
      const StepRunner::Learning* learning)
      : graph_(graph),
        dropout_(dropout),
        fixed_(fixed),
        differences_(differences),
        inputs_(inputs),
        tensors_(tensors),
        positions_(static_cast<std::int64_t>(positions)),
        learning_(learning) {}

  std::vector<Tensor> outputs() {
    values_.reserve(graph_.steps.size());
    for (const Step& step : graph_.steps) values_.push_back(std::visit(*this, step));
    std::vector<Tensor> outputs;
    for (const Graph::Output& output : graph_.outputs)
      outputs.push_back(as_float(value(output.value)).reshape({positions_, -1}));
    return outputs;
  }

  Tensor operator()(const step::Input& s) {
    const Tensor& input = inputs_[static_cast<std::size_t>(s.kind)];
    if (s.kind == step::Input::Kind::Tokens) return input;
    return input.view({positions_, s.shape.rows, s.shape.width});
  }
  Tensor operator()(const step::Constant& s) {
    return fixed().view({1, s.shape.rows, s.shape.width}).expand({positions_, -1, -1});
  }

  Tensor operator()(const step::Embed& s) {
    std::vector<Tensor> parts;
    for (const auto& range : s.ranges)
      parts.push_back(
          at::embedding(tensor(range.table), value(s.tokens).narrow(1, range.first, range.count)));
    Tensor x = at::cat(parts, 1);
    if (s.positions) {
      Tensor table = tensor(s.positions->table);
      // Tokens without a place in the table have nothing added.
      const std::int64_t behind = x.size(1) - s.positions->first - table.size(0);
      if (s.positions->first != 0 || behind != 0)
        table = at::constant_pad_nd(table, {0, 0, s.positions->first, behind});
      x = x + table;
    }
    if (s.scale != 1) x = x * s.scale;
    return with_dropout(x);
  }

  Tensor operator()(const step::Linear& s) {
    return with_dropout(linear(value(s.in), s.weight, s.bias, s.activation));
  }

  Tensor operator()(const step::Convolution& s) {
    const Tensor y = at::conv2d(as_pictures(value(s.in)), tensor(s.weight), tensor(s.bias),
                                /*stride=*/1, /*padding=*/s.size / 2);
    return as_rows(activated(y, s.activation));
  }

  Tensor operator()(const step::BatchNorm& s) {
    constexpr bool kCudnn = true;
    const Tensor x = as_float(value(s.in));
    const bool is_board = x.size(1) == 64;
    const Tensor columns = is_board ? as_pictures(x) : x.transpose(1, 2).unsqueeze(3);
    // With a momentum of 1, torch writes the mean and the variance of the batch where it keeps its
    // averages otherwise.
    const Tensor y =
        learning_ != nullptr
            ? at::batch_norm(columns, tensor(s.gain), tensor(s.shift),
                             learning_->statistics[index(s.mean)],
                             learning_->statistics[index(s.variance)], true, 1.0, s.epsilon, kCudnn)
            : at::batch_norm(columns, tensor(s.gain), tensor(s.shift), tensor(s.mean),
                             tensor(s.variance), false, 0.0, s.epsilon, kCudnn);
    return as_rows(activated(y, s.activation));
  }

  Tensor operator()(const step::Norm& s) {
    if (s.kind == NormKind::RmsNorm) return rms_norm(value(s.in), tensor(s.gain), s.epsilon);
    const Tensor x = as_float(value(s.in));
    return at::layer_norm(x, {x.size(2)}, tensor(s.gain), tensor(s.shift), s.epsilon);
  }

  Tensor operator()(const step::Add& s) {
    return activated(at::add(value(s.a), with_dropout(value(s.b)), s.scale), s.activation);
  }

  Tensor operator()(const step::Gate& s) {
    Tensor x = value(s.in);
    if (s.factor) x = x * tensor(s.factor);
    if (s.term) x = x + tensor(s.term);
    return with_dropout(x);
  }

  Tensor operator()(const step::Attention& s) {
    Tensor queries = heads_of(s.queries, s), keys = heads_of(s.keys, s);
    const Tensor values = heads_of(s.values, s);
    if (s.query_gain) queries = rms_norm(queries, tensor(s.query_gain), s.epsilon);
    if (s.key_gain) keys = rms_norm(keys, tensor(s.key_gain), s.epsilon);
    const std::int64_t rows = queries.size(1), others = keys.size(1);
    Tensor scores = at::bmm(queries / std::sqrt(static_cast<double>(s.depth)), keys.transpose(1, 2))
                        .view({positions_, s.heads, rows, others});
    if (s.bias) scores = scores + value(*s.bias).reshape({positions_, s.heads, rows, others});
    if (s.relative_bias) {
      // Looked up as words are: the way back of that is the fastest that torch has.
      const Tensor table = tensor(s.relative_bias).t();
      scores = scores + at::embedding(table, differences_).permute({2, 0, 1}).contiguous();
    }
    const Tensor shares = with_dropout(at::softmax(as_float(scores), -1));
    return at::bmm(shares.view({positions_ * s.heads, rows, others}), values)
        .view({positions_, s.heads, rows, s.depth})
        .transpose(1, 2)
        .reshape({positions_, rows, s.heads * s.depth});
  }

  Tensor operator()(const step::SqueezeExcite& s) {
    const Tensor x = with_dropout(value(s.in));
    const Tensor hidden = linear(as_float(x).mean(1, true), s.weight1, s.bias1, s.activation);
    const Tensor z = linear(hidden, s.weight2, s.bias2, Activation::None);
    const std::int64_t channels = x.size(2);
    const Tensor y = at::sigmoid(z.narrow(2, 0, channels)) * x + z.narrow(2, channels, channels);
    return activated(value(s.residual) + y, s.activation);
  }

  Tensor operator()(const step::Concat& s) {
    std::int64_t rows = 1;
    for (const ValueId part : s.parts) rows = std::max(rows, value(part).size(1));
    std::vector<Tensor> parts;
    for (const ValueId part : s.parts) parts.push_back(value(part).expand({-1, rows, -1}));
    return at::cat(parts, 2);
  }

  Tensor operator()(const step::Reshape& s) {
    return value(s.in).reshape({positions_, s.shape.rows, s.shape.width});
  }
  Tensor operator()(const step::Transpose& s) { return value(s.in).transpose(1, 2); }
  Tensor operator()(const step::TakeRows& s) { return value(s.in).narrow(1, s.first, s.count); }
  Tensor operator()(const step::TakeColumns& s) { return value(s.in).narrow(2, s.first, s.count); }
  Tensor operator()(const step::MeanRows& s) { return as_float(value(s.in)).mean(1, true); }
  Tensor operator()(const step::Activate& s) {
    return activated(value(s.in).clone(), s.activation);
  }
  Tensor operator()(const step::PairScores& s) {
    return at::bmm(value(s.a), value(s.b).transpose(1, 2)) * s.scale;
  }

  Tensor operator()(const step::PromotionScores& s) {
    const Tensor moves = value(s.scores).narrow(1, 48, 8).narrow(2, 56, 8).unsqueeze(3);
    const Tensor all = value(s.offsets);
    Tensor offsets = all.narrow(2, 0, s.pieces);
    if (s.add_last) offsets = offsets + all.narrow(2, s.pieces, 1);
    return (moves + (offsets * s.scale).unsqueeze(1)).reshape({positions_, 1, -1});
  }

  Tensor operator()(const step::Gather& s) {
    std::vector<Tensor> parts;
    for (const ValueId part : s.parts) parts.push_back(value(part).reshape({positions_, -1}));
    return at::gather(at::cat(parts, 1), 1, fixed().expand({positions_, -1})).unsqueeze(1);
  }

 private:
  const Tensor& value(ValueId id) const { return values_[index(id)]; }
  const Tensor& tensor(TensorId id) const { return tensors_[index(id)]; }
  Tensor tensor(std::optional<TensorId> id) const { return id ? tensor(*id) : Tensor(); }
  const Tensor& fixed() const { return fixed_[values_.size()]; }

  // Rows of all positions as one matrix: of three dimensions torch would make a view, and to
  // overwrite a view costs more than it saves.
  Tensor linear(const Tensor& x, TensorId weight, std::optional<TensorId> bias,
                Activation activation) const {
    const Tensor y = at::linear(x.reshape({-1, x.size(2)}), tensor(weight), tensor(bias));
    return activated(y, activation).view({positions_, x.size(1), -1});
  }

  // [positions * heads][rows][depth]
  Tensor heads_of(const step::Attention::Columns& columns, const step::Attention& s) const {
    const Tensor& all = value(columns.value);
    return all.narrow(2, columns.first, s.heads * s.depth)
        .reshape({positions_, all.size(1), s.heads, s.depth})
        .transpose(1, 2)
        .reshape({positions_ * s.heads, all.size(1), s.depth});
  }

  // What the step in work makes, or is given, with some of it left out.
  Tensor with_dropout(const Tensor& x) const {
    const std::size_t step = values_.size();
    if (learning_ == nullptr || !dropout_.steps[step]) return x;
    std::vector<std::int64_t> shape = x.sizes().vec();
    if (dropout_.whole_channels) shape[1] = 1;
    const Tensor factors = at::empty(shape, at::kFloat);
    fill_dropout({factors.data_ptr<float>(), static_cast<std::size_t>(factors.numel())},
                 dropout_.share, mixed_key(learning_->dropout_key, step));
    return x * factors.to(x.device());
  }

  const Graph& graph_;
  const DropoutPlan& dropout_;
  const std::vector<Tensor>& fixed_;
  const Tensor& differences_;
  const std::vector<Tensor>&inputs_, &tensors_;
  const std::int64_t positions_;
  const StepRunner::Learning* learning_;
  std::vector<Tensor> values_;
};

}  // namespace

StepRunner::StepRunner(const Graph& graph, DropoutPlan dropout, bool cuda)
    : graph_(graph), dropout_(std::move(dropout)), fixed_(std::make_unique<Fixed>()) {
  const at::Device device(cuda ? at::kCUDA : at::kCPU);
  fixed_->square_differences = square_differences().to(device);
  fixed_->by_step.resize(graph.steps.size());
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    if (const auto* const constant = std::get_if<step::Constant>(&graph.steps[i]))
      fixed_->by_step[i] = at::tensor(constant->numbers, at::kFloat).to(device);
    if (const auto* const gather = std::get_if<step::Gather>(&graph.steps[i]))
      fixed_->by_step[i] = at::tensor(gather->places, at::kLong).unsqueeze(0).to(device);
  }
}

StepRunner::~StepRunner() = default;

std::vector<Tensor> StepRunner::run(const std::vector<Tensor>& inputs,
                                    const std::vector<Tensor>& tensors, std::size_t positions,
                                    const Learning* learning) const {
  return Run(graph_, dropout_, fixed_->by_step, fixed_->square_differences, inputs, tensors,
             positions, learning)
      .outputs();
}

}  // namespace aleph::train
