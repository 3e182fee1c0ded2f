#include "nets/executor/layers.h"

#include <algorithm>
#include <cmath>

#include "nets/executor/matrix.h"
#include "nets/executor/whole_form.h"
#include "nets/executor/winograd.h"

namespace aleph::nets {
namespace {

std::size_t size(int i) { return static_cast<std::size_t>(i); }

// y = finish(W x + b) for every row.
class LinearLayer : public Operation {
 public:
  LinearLayer(ValueId in, const LayerChain& chain, int rows, Matrix matrix)
      : Operation(chain_inputs(in, chain), chain.result),
        in_(in),
        rows_(size(rows)),
        ending_(chain),
        matrix_(std::move(matrix)) {}

  std::size_t rounded(std::size_t positions) const override {
    return matrix_.room_for(positions * rows_);
  }
  void run(const Frame& frame) const override {
    Rounded& rounded = frame.rounded;
    const bool there = rounded.value == in_ && rounded.form == matrix_.form();
    if (!there && matrix_.form() != Matrix::Form::Floats) {
      matrix_.round(frame.kernels, frame.rows(in_), rounded.room);
      rounded.value = in_;
      rounded.form = matrix_.form();
    }
    matrix_.multiply(frame.kernels, frame.rows(in_), rounded.room, frame.value(output()),
                     ending_.finish(frame));
  }

 private:
  ValueId in_;
  std::size_t rows_;
  ChainEnding ending_;
  Matrix matrix_;
};

class SqueezeExcite : public Operation {
 public:
  SqueezeExcite(const step::SqueezeExcite& step, ValueId output, Matrix first, Matrix second)
      : Operation({step.in, step.residual}, output),
        step_(step),
        first_(std::move(first)),
        second_(std::move(second)) {}

  std::size_t scratch(std::size_t positions) const override {
    return positions * (first_.depth() + first_.columns() + second_.columns());
  }
  void run(const Frame& frame) const override {
    const std::size_t width = first_.depth(), hidden = first_.columns();
    const std::size_t rows = size(frame.shape(output()).rows), whole = rows * width;
    float* const means = frame.scratch;
    float* const inner = means + frame.positions * width;
    float* const gates = inner + frame.positions * hidden;
    const float* const in = frame.value(step_.in);
    for (std::size_t i = 0; i < frame.positions; ++i)
      frame.kernels.mean_rows({in + i * whole, width, rows, width}, means + i * width);
    kernels::Finish finish;
    finish.activation = step_.activation;
    first_.multiply(frame.kernels, {means, width, frame.positions, width}, nullptr, inner, finish);
    second_.multiply(frame.kernels, {inner, hidden, frame.positions, hidden}, nullptr, gates, {});
    for (std::size_t i = 0; i < frame.positions; ++i)
      frame.kernels.excite({{in + i * whole, width, rows, width},
                            gates + i * 2 * width,
                            frame.value(step_.residual) + i * whole,
                            frame.value(output()) + i * whole,
                            step_.activation});
  }

 private:
  step::SqueezeExcite step_;
  Matrix first_, second_;
};

// Weights and bias of a layer with its batch norm folded in.
struct Folded {
  WeightRows weights;
  std::vector<float> bias;
};
Folded folded(const GraphTensors& tensors, TensorId weight, std::optional<TensorId> bias,
              const std::optional<step::BatchNorm>& norm) {
  Folded layer{WeightRows(tensors.at(weight)), tensors.floats(bias)};
  if (!norm) return layer;
  layer.bias.resize(layer.weights.columns);
  const std::vector<float> gain = tensors.floats(norm->gain), shift = tensors.floats(norm->shift);
  const std::vector<float> mean = tensors.floats(norm->mean);
  const std::vector<float> variance = tensors.floats(norm->variance);
  std::vector<float> factors(gain.size());
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const double factor = gain[i] / std::sqrt(double{variance[i]} + norm->epsilon);
    layer.bias[i] = static_cast<float>((double{layer.bias[i]} - mean[i]) * factor + shift[i]);
    factors[i] = static_cast<float>(factor);
  }
  layer.weights.multiply_rows(factors);
  return layer;
}

}  // namespace

Status GraphTensors::check() const {
  for (const TensorSpec& spec : graph_.tensors) {
    const auto found = tensors_.find(spec.name);
    if (found == tensors_.end()) return Error{"the network's file has no tensor " + spec.name};
    const Tensor& tensor = found->second;
    std::size_t count = 1;
    for (const int extent : spec.shape) count *= size(extent);
    const bool fits = tensor.is_int8() ? tensor.has_bytes(count) : tensor.numbers.size() == count;
    if (!fits || tensor.shape != spec.shape)
      return Error{"tensor " + spec.name + " of the network has another shape than it should"};
  }
  return Status::success();
}

std::vector<float> GraphTensors::floats(TensorId id) const {
  return at(id).is_int8() ? WeightRows(at(id)).as_floats() : at(id).numbers;
}

std::vector<ValueId> chain_inputs(ValueId in, const LayerChain& chain) {
  std::vector<ValueId> inputs{in};
  if (chain.residual) inputs.push_back(chain.residual->value);
  return inputs;
}

kernels::Finish ChainEnding::finish(const Frame& frame) const {
  kernels::Finish finish;
  finish.activation = activation_;
  if (residual_) {
    const kernels::Rows rows = frame.rows(residual_->value);
    finish.residual = rows.in;
    finish.residual_stride = rows.stride;
    finish.residual_scale = residual_->scale;
    finish.scale = residual_->layer_scale;
    finish.last = residual_->last;
  }
  return finish;
}

std::unique_ptr<Operation> make_layer(const Graph& graph, const GraphTensors& tensors,
                                      const LayerChain& chain, Precision precision,
                                      WeightStore& store) {
  const bool whole = precision == Precision::Int8;
  const auto form = [&] { return whole ? whole_form(graph, chain.first) : Matrix::Form::Floats; };
  const Step& step = graph.steps[size(chain.first)];
  if (const auto* const linear = std::get_if<step::Linear>(&step)) {
    const Folded layer = folded(tensors, linear->weight, linear->bias, chain.batch_norm);
    return std::make_unique<LinearLayer>(linear->in, chain, graph.shapes[size(linear->in)].rows,
                                         Matrix(layer.weights, layer.bias, form(), store));
  }
  const auto& convolution = std::get<step::Convolution>(step);
  const Folded layer = folded(tensors, convolution.weight, convolution.bias, chain.batch_norm);
  if (convolution.size == 1)
    return std::make_unique<LinearLayer>(convolution.in, chain, 64,
                                         Matrix(layer.weights, layer.bias, form(), store));
  return make_winograd(convolution.in, chain, layer.weights, layer.bias,
                       whole ? whole_winograd(graph, chain.first) : WinogradForm::Floats, store);
}

std::unique_ptr<Operation> make_squeeze_excite(const GraphTensors& tensors,
                                               const step::SqueezeExcite& step, ValueId output,
                                               WeightStore& store) {
  const auto matrix = [&](TensorId weight, TensorId bias) {
    return Matrix(WeightRows(tensors.at(weight)), tensors.floats(bias), Matrix::Form::Floats,
                  store);
  };
  return std::make_unique<SqueezeExcite>(step, output, matrix(step.weight1, step.bias1),
                                         matrix(step.weight2, step.bias2));
}

}  // namespace aleph::nets
