#include "train/nnue/torch_twin.h"

#include <torch/torch.h>

#include <vector>

namespace aleph::train {
namespace {

using torch::Tensor;

constexpr std::int64_t kBuckets = nnue::kBuckets;

Tensor copy_of(const float* values, std::vector<std::int64_t> shape) {
  return torch::from_blob(const_cast<float*>(values), shape, torch::kFloat32).clone();
}

// A part of every stack, the buckets first.
Tensor stack_part(const NnueModel& model, std::size_t at, std::int64_t rows, std::int64_t columns) {
  const auto size = static_cast<std::int64_t>(model.shape().size());
  const Tensor all =
      torch::from_blob(const_cast<float*>(model.stacks.data()), {kBuckets, size}, torch::kFloat32);
  const auto from = static_cast<std::int64_t>(at);
  return all.slice(1, from, from + rows * columns).reshape({kBuckets, rows, columns}).clone();
}

// Every second row of the batch, as embedding_bag wants it.
struct Bags {
  Tensor features, offsets;
};
Bags bags_of(const SparseBatch& batch, std::size_t side) {
  std::vector<std::int64_t> features, offsets;
  features.reserve(batch.features.size() / 2);
  for (std::size_t i = 0; i < batch.positions(); ++i) {
    offsets.push_back(static_cast<std::int64_t>(features.size()));
    for (const std::uint16_t feature : batch.features_of(2 * i + side)) features.push_back(feature);
  }
  return {torch::tensor(features), torch::tensor(offsets)};
}

}  // namespace

struct TorchTwin::Impl {
  StepSettings settings;
  std::size_t width;
  Tensor weight, psqt, bias, first, first_bias, second, second_bias, third, third_bias;
  std::unique_ptr<torch::optim::Adam> adam;

  std::vector<Tensor> parameters() const {
    return {weight, psqt, bias, first, first_bias, second, second_bias, third, third_bias};
  }

  // All eight stacks are computed and one is picked: that is how it is done with tensors.
  Tensor layer(const Tensor& inputs, const Tensor& weights, const Tensor& biases,
               const Tensor& buckets) const {
    const auto outputs = weights.size(1);
    const Tensor all = torch::addmm(biases.reshape({-1}), inputs,
                                    weights.reshape({kBuckets * outputs, weights.size(2)}).t());
    const Tensor picked = buckets.reshape({-1, 1, 1}).expand({-1, 1, outputs});
    return all.reshape({-1, kBuckets, outputs}).gather(1, picked).squeeze(1);
  }

  Tensor loss(const SparseBatch& batch) const {
    const auto half = static_cast<std::int64_t>(width / 2);
    const auto count = static_cast<std::int64_t>(batch.positions());
    const Tensor buckets =
        torch::from_blob(const_cast<std::uint8_t*>(batch.bucket.data()), {count}, torch::kUInt8)
            .to(torch::kInt64);
    std::vector<Tensor> halves, material;
    for (std::size_t side = 0; side < 2; ++side) {
      const Bags bags = bags_of(batch, side);
      const auto sum = [&](const Tensor& table) {
        return std::get<0>(torch::embedding_bag(table, bags.features, bags.offsets));
      };
      const Tensor clipped = torch::clamp(sum(weight) + bias, 0, 1);
      halves.push_back(clipped.slice(1, 0, half) * clipped.slice(1, half) * (127.0 / 128));
      material.push_back(sum(psqt).gather(1, buckets.reshape({-1, 1})).squeeze(1));
    }
    const Tensor y = layer(torch::cat(halves, 1), first, first_bias, buckets);
    const Tensor used = y.slice(1, 0, 15), empty = torch::zeros({count, 1});
    const Tensor inputs = torch::cat(
        {torch::clamp(used * used * (127.0 / 128), 0, 1), empty, torch::clamp(used, 0, 1), empty},
        1);
    const Tensor z = torch::clamp(layer(inputs, second, second_bias, buckets), 0, 1);
    const Tensor output = layer(z, third, third_bias, buckets).squeeze(1) + y.select(1, 15) +
                          (material[0] - material[1]) * 0.5;
    const Tensor target =
        torch::from_blob(const_cast<float*>(batch.target.data()), {count}, torch::kFloat32);
    const Tensor expected = torch::sigmoid(output * (kUnitsPerOne / settings.score_scale));
    return torch::pow(torch::abs(expected - target), settings.loss_power).mean();
  }
};

TorchTwin::TorchTwin(NnueModel& model, const StepSettings& settings, int threads)
    : impl_(std::make_unique<Impl>()) {
  torch::set_num_threads(threads);
  const auto width = static_cast<std::int64_t>(model.width);
  const auto features = static_cast<std::int64_t>(kFeatures);
  const StackShape shape = model.shape();
  Impl& twin = *impl_;
  twin.settings = settings;
  twin.width = model.width;
  twin.weight = copy_of(model.weight.data(), {features, width});
  twin.psqt = copy_of(model.psqt.data(), {features, kBuckets});
  twin.bias = copy_of(model.bias.data(), {width});
  twin.first = stack_part(model, shape.first_weight(), 16, width);
  twin.first_bias = stack_part(model, shape.first_bias(), 1, 16);
  twin.second = stack_part(model, shape.second_weight(), 32, 32);
  twin.second_bias = stack_part(model, shape.second_bias(), 1, 32);
  twin.third = stack_part(model, shape.third_weight(), 1, 32);
  twin.third_bias = stack_part(model, shape.third_bias(), 1, 1);
  for (Tensor& parameter : twin.parameters()) parameter.requires_grad_(true);
  twin.adam = std::make_unique<torch::optim::Adam>(twin.parameters(),
                                                   torch::optim::AdamOptions(1e-3).eps(1e-9));
}

TorchTwin::~TorchTwin() = default;

double TorchTwin::train(const SparseBatch& batch, double rate) {
  for (auto& group : impl_->adam->param_groups())
    static_cast<torch::optim::AdamOptions&>(group.options()).lr(rate);
  impl_->adam->zero_grad();
  const Tensor loss = impl_->loss(batch);
  loss.backward();
  impl_->adam->step();
  return loss.item<double>();
}

NnueModel TorchTwin::gradient(const SparseBatch& batch) {
  impl_->adam->zero_grad();
  impl_->loss(batch).backward();
  NnueModel gradient = NnueModel::empty(impl_->width);
  const auto copy = [](const Tensor& parameter, float* to) {
    const Tensor values = parameter.grad().contiguous();
    std::copy_n(values.data_ptr<float>(), values.numel(), to);
  };
  copy(impl_->weight, gradient.weight.data());
  copy(impl_->psqt, gradient.psqt.data());
  copy(impl_->bias, gradient.bias.data());
  const StackShape shape = gradient.shape();
  const std::pair<Tensor, std::size_t> parts[] = {
      {impl_->first, shape.first_weight()},   {impl_->first_bias, shape.first_bias()},
      {impl_->second, shape.second_weight()}, {impl_->second_bias, shape.second_bias()},
      {impl_->third, shape.third_weight()},   {impl_->third_bias, shape.third_bias()}};
  for (const auto& [parameter, at] : parts)
    for (std::int64_t b = 0; b < kBuckets; ++b) {
      const Tensor values = parameter.grad()[b].contiguous();
      std::copy_n(values.data_ptr<float>(), values.numel(),
                  gradient.stacks.data() + static_cast<std::size_t>(b) * shape.size() + at);
    }
  return gradient;
}

}  // namespace aleph::train
