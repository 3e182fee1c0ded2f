#include "train/quantile/quantile_twin.h"

#include <torch/torch.h>

namespace aleph::train {
namespace {

using torch::Tensor;

constexpr std::int64_t kStacks = nnue::kBuckets;

// `after` on the way forward, `before` on the way back.
Tensor straight_through(const Tensor& before, const Tensor& after) {
  return before + (after - before).detach();
}

// A byte of the engine from its exact value.
Tensor cut(const Tensor& exact, bool whole) {
  const Tensor moved = whole ? torch::floor(exact) : exact - 0.5;
  return straight_through(torch::clamp(exact, 0, 127), torch::clamp(moved, 0, 127));
}

}  // namespace

struct QuantileTwin::Impl {
  const FeatureCache& cache;
  QuantileLoss wanted;
  bool whole;
  std::size_t width;
  // [bucket][inputs][outputs], in double precision so that sums are exact; biases have one input.
  Tensor first, first_bias, second, second_bias, third, third_bias;

  std::vector<Tensor> parameters() const {
    return {first, first_bias, second, second_bias, third, third_bias};
  }

  Tensor scaled(const Tensor& parameter, double one) const {
    const Tensor value = parameter * one;
    return whole ? straight_through(value, torch::round(value)) : value;
  }

  // The engine's sums for each position: weights of its own bucket.
  Tensor layer(const Tensor& inputs, const Tensor& weight, const Tensor& bias,
               const Tensor& buckets) const {
    const Tensor weights = scaled(weight, double{kWeightOne}).index_select(0, buckets);
    const Tensor biases = scaled(bias, double{kBiasOne}).index_select(0, buckets);
    return (torch::bmm(inputs.unsqueeze(1), weights) + biases).squeeze(1);
  }

  Tensor logits(std::span<const std::uint32_t> rows) const {
    const auto count = static_cast<std::int64_t>(rows.size());
    Tensor features = torch::empty({count, static_cast<std::int64_t>(width)}, torch::kUInt8);
    std::vector<std::int64_t> buckets;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      cache.unpack(rows[i], features.data_ptr<std::uint8_t>() + i * width);
      buckets.push_back(cache.row(rows[i]).bucket);
    }
    const Tensor bucket = torch::tensor(buckets);
    const Tensor h = layer(features.to(torch::kFloat64), first, first_bias, bucket);
    const Tensor z = torch::cat({cut(h * h / (1 << 19), whole), cut(h / 64, whole)}, 1);
    const Tensor y = cut(layer(z, second, second_bias, bucket) / 64, whole);
    const Tensor a = layer(y, third, third_bias, bucket) / nnue::kQuantileOne;
    const Tensor t = a.slice(1, 1), raised = torch::clamp(t + 1, 0, 2);
    const Tensor steps = raised * raised / 4 + torch::clamp_min(t - 1, 0);
    return torch::cumsum(torch::cat({a.slice(1, 0, 1), steps}, 1), 1);
  }

  // With weight: in logits, too.
  Tensor loss(std::span<const std::uint32_t> rows, double logit_weight) const {
    const auto count = static_cast<std::int64_t>(rows.size());
    std::vector<double> bases, targets;
    for (const std::uint32_t row : rows) {
      bases.push_back(static_cast<double>(cache.row(row).base_units()) / nnue::kQuantileScale);
      for (const std::int16_t score : cache.scores(row))
        targets.push_back(target_logit(score, wanted.score_unit));
    }
    const Tensor base = torch::tensor(bases, torch::kFloat64).reshape({count, 1});
    const Tensor target = torch::tensor(targets, torch::kFloat64).reshape({count, -1, 1});
    const Tensor answer = (base + logits(rows)).unsqueeze(1);
    const Tensor level =
        torch::tensor(std::vector<double>(kLevels.begin(), kLevels.end()), torch::kFloat64);
    const auto pinball = [&](const Tensor& miss) {
      return torch::maximum(level * miss, (level - 1) * miss).mean();
    };
    return pinball(torch::sigmoid(target) - torch::sigmoid(answer)) +
           logit_weight * pinball(target - answer);
  }
};

QuantileTwin::QuantileTwin(const QuantileModel& model, const FeatureCache& cache,
                           const QuantileLoss& loss, bool whole)
    : impl_(std::make_unique<Impl>(Impl{cache, loss, whole, model.width, {}, {}, {}, {}, {}, {}})) {
  const QuantileShape shape = model.shape();
  const auto part = [&](std::size_t at, std::int64_t rows, std::int64_t columns) {
    Tensor values = torch::empty({kStacks, rows, columns}, torch::kFloat64);
    for (std::size_t b = 0; b < nnue::kBuckets; ++b)
      for (std::int64_t i = 0; i < rows * columns; ++i)
        values.data_ptr<double>()[static_cast<std::int64_t>(b) * rows * columns + i] =
            static_cast<double>(model.stack(b)[at + static_cast<std::size_t>(i)]);
    return values;
  };
  impl_->first = part(shape.first_weight(), static_cast<std::int64_t>(model.width), 16);
  impl_->first_bias = part(shape.first_bias(), 1, 16);
  impl_->second = part(shape.second_weight(), 32, 32);
  impl_->second_bias = part(shape.second_bias(), 1, 32);
  impl_->third = part(shape.third_weight(), 5, 32).transpose(1, 2).contiguous();
  impl_->third_bias = part(shape.third_bias(), 1, 5);
  for (Tensor& parameter : impl_->parameters()) parameter.requires_grad_(true);
}

QuantileTwin::~QuantileTwin() = default;

double QuantileTwin::loss(std::span<const std::uint32_t> rows) const {
  return impl_->loss(rows, 0).item<double>();
}

std::vector<RowLogits> QuantileTwin::logits(std::span<const std::uint32_t> rows) const {
  const Tensor values = impl_->logits(rows).detach().contiguous();
  std::vector<RowLogits> answers(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(values.data_ptr<double>() + i * nnue::kQuantiles, nnue::kQuantiles,
                answers[i].begin());
  return answers;
}

QuantileModel QuantileTwin::gradient(std::span<const std::uint32_t> rows) {
  for (Tensor& parameter : impl_->parameters())
    if (parameter.grad().defined()) parameter.grad().zero_();
  impl_->loss(rows, impl_->wanted.logit_weight).backward();
  QuantileModel gradient = QuantileModel::empty(impl_->width);
  const QuantileShape shape = gradient.shape();
  const auto copy = [&](const Tensor& values, std::size_t at) {
    const Tensor flat = values.contiguous().reshape({kStacks, -1});
    const auto count = static_cast<std::size_t>(flat.size(1));
    for (std::size_t b = 0; b < nnue::kBuckets; ++b)
      for (std::size_t i = 0; i < count; ++i)
        gradient.stack(b)[at + i] = static_cast<float>(flat.data_ptr<double>()[b * count + i]);
  };
  copy(impl_->first.grad(), shape.first_weight());
  copy(impl_->first_bias.grad(), shape.first_bias());
  copy(impl_->second.grad(), shape.second_weight());
  copy(impl_->second_bias.grad(), shape.second_bias());
  copy(impl_->third.grad().transpose(1, 2), shape.third_weight());
  copy(impl_->third_bias.grad(), shape.third_bias());
  return gradient;
}

}  // namespace aleph::train
