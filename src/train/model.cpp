#include "train/model.h"

#include <ATen/autocast_mode.h>
#include <fmt/format.h>
#include <torch/torch.h>

#include <cassert>
#include <exception>

#include "train/model_steps.h"

namespace aleph::train {
namespace {

using at::Tensor;
using nets::Graph;

// A thread computes alone: several models at once are faster than several threads for one. Torch
// keeps this number for each thread.
void compute_alone() {
  thread_local bool alone = false;
  if (!alone) at::set_num_threads(1);
  alone = true;
}

// Products in bf16 for as long as it lives.
class Bf16Guard {
 public:
  Bf16Guard(bool bf16, bool cuda) : bf16_(bf16), cuda_(cuda) {
    if (!bf16_) return;
    // Weights are used once in a pass: keeping what they were cast to would only cost memory.
    at::autocast::set_autocast_cache_enabled(false);
    at::autocast::set_autocast_cpu_dtype(at::kBFloat16);
    at::autocast::set_autocast_gpu_dtype(at::kBFloat16);
    enable(true);
  }
  Bf16Guard(const Bf16Guard&) = delete;
  Bf16Guard& operator=(const Bf16Guard&) = delete;
  ~Bf16Guard() {
    if (bf16_) enable(false);
  }

 private:
  void enable(bool on) const {
    if (cuda_)
      at::autocast::set_enabled(on);
    else
      at::autocast::set_cpu_enabled(on);
  }
  const bool bf16_, cuda_;
};

// Memory of ours as a tensor. Torch does not know of const: what is only read is only read.
Tensor tensor_on(const float* numbers, at::IntArrayRef shape, at::Device device = at::kCPU) {
  return at::from_blob(const_cast<float*>(numbers), shape,
                       at::TensorOptions(at::kFloat).device(device));
}

class TorchModel final : public Model {
 public:
  TorchModel(const nets::NetSpec& spec, const Graph& graph, const FlatLayout& layout,
             std::span<const float> weights, const Options& options)
      : graph_(graph),
        layout_(layout),
        options_(options),
        device_(options.cuda ? at::kCUDA : at::kCPU),
        weights_(tensor_on(weights.data(), {static_cast<std::int64_t>(layout.size)})),
        steps_(graph, dropout_plan(spec, graph), options.cuda) {
    assert(weights.size() >= layout.size);
    device_weights_ = options.cuda ? weights_.to(device_) : weights_;
    if (options.learns) {
      gradient_.assign(layout.size, 0.0F);
      host_gradient_ = tensor_on(gradient_.data(), weights_.sizes());
      device_gradient_ = options.cuda ? host_gradient_.to(device_) : host_gradient_;
    }
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) add_tensor(i);
  }

  void evaluate(const Samples& samples, Rows rows, Answers& answers) override {
    compute_alone();
    const torch::NoGradGuard no_gradient;
    copy_out(run(samples, rows, nullptr), answers);
  }

  void forward(const Samples& samples, Rows rows, std::uint64_t dropout_key,
               Answers& answers) override {
    assert(options_.learns);
    compute_alone();
    const StepRunner::Learning learning{gradients_, dropout_key};
    outputs_ = run(samples, rows, &learning);
    copy_out(outputs_, answers);
  }

  void backward(const Answers& gradients) override {
    compute_alone();
    std::vector<Tensor> outputs, changes;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (gradients[i].empty()) continue;
      outputs.push_back(outputs_[i]);
      changes.push_back(tensor_on(gradients[i].data(), outputs_[i].sizes()).to(device_));
    }
    outputs_.clear();
    torch::autograd::backward(outputs, changes);
    if (!options_.cuda) return;
    const torch::NoGradGuard no_gradient;
    host_gradient_.add_(device_gradient_.cpu());
    device_gradient_.zero_();
  }

  std::span<float> gradient() override { return gradient_; }

  void weights_changed() override {
    if (!options_.cuda) return;  // they are the same memory
    const torch::NoGradGuard no_gradient;
    device_weights_.copy_(weights_);
  }

 private:
  // Parts of the flat arrays. Torch adds to a gradient that is there already, so that all of them
  // come together in one array by themselves. Each is a tensor of its own, not a view: torch would
  // think that a change of one changes all.
  void add_tensor(std::size_t i) {
    const std::size_t begin = layout_.places[i].begin;
    const std::vector<std::int64_t> shape(graph_.tensors[i].shape.begin(),
                                          graph_.tensors[i].shape.end());
    Tensor tensor = tensor_on(device_weights_.data_ptr<float>() + begin, shape, device_);
    Tensor gradient;
    if (options_.learns) {
      gradient = tensor_on(device_gradient_.data_ptr<float>() + begin, shape, device_);
      if (graph_.tensors[i].is_parameter) {
        tensor.set_requires_grad(true);
        tensor.mutable_grad() = gradient;
      }
    }
    tensors_.push_back(tensor);
    gradients_.push_back(gradient);
  }

  std::vector<Tensor> run(const Samples& samples, Rows rows,
                          const StepRunner::Learning* learning) const {
    const Bf16Guard precision(options_.bf16, options_.cuda);
    return steps_.run(inputs_of(samples, rows), tensors_, rows.count, learning);
  }

  // By the kinds of step::Input.
  std::vector<Tensor> inputs_of(const Samples& samples, Rows rows) const {
    const auto count = static_cast<std::int64_t>(rows.count);
    const auto part = [&](const auto& numbers) {
      const std::size_t width = numbers.size() / samples.size;
      return std::pair(numbers.data() + rows.first * width, static_cast<std::int64_t>(width));
    };
    std::vector<Tensor> inputs(3);
    const auto floats = [&](const std::vector<float>& numbers, Tensor& input) {
      if (numbers.empty()) return;
      const auto [data, width] = part(numbers);
      input = tensor_on(data, {count, width}).to(device_);
    };
    using Kind = nets::step::Input::Kind;
    floats(samples.planes, inputs[static_cast<std::size_t>(Kind::Planes)]);
    floats(samples.context, inputs[static_cast<std::size_t>(Kind::Context)]);
    if (!samples.tokens.empty()) {
      const auto [data, width] = part(samples.tokens);
      inputs[static_cast<std::size_t>(Kind::Tokens)] =
          at::from_blob(const_cast<std::int16_t*>(data), {count, width}, at::kShort)
              .to(device_, at::kLong);
    }
    return inputs;
  }

  static void copy_out(const std::vector<Tensor>& outputs, Answers& answers) {
    const torch::NoGradGuard no_gradient;
    answers.resize(outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const Tensor output = outputs[i].detach().cpu().contiguous();
      const float* const numbers = output.data_ptr<float>();
      answers[i].assign(numbers, numbers + output.numel());
    }
  }

  const Graph& graph_;
  const FlatLayout& layout_;
  const Options options_;
  const at::Device device_;
  Tensor weights_, device_weights_;  // flat; the same memory on the processor
  Flat gradient_;
  Tensor host_gradient_, device_gradient_;
  std::vector<Tensor> tensors_, gradients_;  // by graph.tensors: parts of the flat ones
  StepRunner steps_;
  std::vector<Tensor> outputs_;  // between forward() and backward()
};

}  // namespace

Result<std::unique_ptr<Model>> Model::make(const nets::NetSpec& spec, const Graph& graph,
                                           const FlatLayout& layout, std::span<const float> weights,
                                           const Options& options) {
  try {
    return std::unique_ptr<Model>(
        std::make_unique<TorchModel>(spec, graph, layout, weights, options));
  } catch (const std::exception& problem) {
    return Error{fmt::format("torch cannot make the network: {}", problem.what())};
  }
}

bool cuda_is_there() { return torch::cuda::is_available(); }

}  // namespace aleph::train
