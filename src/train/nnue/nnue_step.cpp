#include "train/nnue/nnue_step.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace aleph::train {
namespace {

constexpr std::size_t kRuns = 16, kBuckets = nnue::kBuckets, kWidestSlice = 64;

std::size_t run_begin(std::size_t positions, std::size_t run) { return positions * run / kRuns; }

}  // namespace

struct NnueStep::Run {
  double loss = 0;
  AlignedVector<float> bias, stacks;                   // gradients
  AlignedVector<float> sums, products, products_back;  // scratch

  explicit Run(const NnueModel& model)
      : bias(model.bias.size()),
        stacks(model.stacks.size()),
        sums(2 * model.width),
        products(model.width),
        products_back(model.width) {}
  void clear() {
    loss = 0;
    std::ranges::fill(bias, 0.0F);
    std::ranges::fill(stacks, 0.0F);
  }
};

// A table with a row for each feature.
struct NnueStep::RowTable {
  float* values;
  Moments* moments;
  Moments* shared;
  std::size_t width;
  float limit;
};

NnueStep::NnueStep(NnueModel& model, const StepSettings& settings, std::size_t threads,
                   const NnueKernels& kernels)
    : model_(model),
      settings_(settings),
      kernels_(kernels),
      pool_(threads > 1 ? std::make_unique<ThreadPool>(threads - 1) : nullptr),
      weight_(model.weight.size()),
      shared_weight_(kPieceSquares * model.width),
      psqt_(model.psqt.size()),
      shared_psqt_(kPieceSquares * kBuckets),
      bias_(model.bias.size()),
      stacks_(model.stacks.size()),
      runs_(kRuns, Run(model)),
      slice_width_(std::min(model.width, kWidestSlice)) {}

NnueStep::~NnueStep() = default;

void NnueStep::spread(std::size_t count, const std::function<void(std::size_t)>& work) {
  if (pool_) return pool_->parallel_for(count, work);
  for (std::size_t i = 0; i < count; ++i) work(i);
}

const float* NnueStep::stack(std::size_t bucket) const {
  return settings_.whole_weights ? whole_stacks_.data() + bucket * model_.shape().size()
                                 : model_.stack(bucket);
}

// Only weights: biases have so fine a grid that rounding them is not seen.
void NnueStep::round_layers() {
  const StackShape shape = model_.shape();
  whole_stacks_ = model_.stacks;
  const auto round = [&](std::size_t from, std::size_t to, float steps) {
    for (std::size_t i = from; i < to; ++i)
      whole_stacks_[i] = std::nearbyint(whole_stacks_[i] * steps) / steps;
  };
  for (std::size_t b = 0; b < kBuckets; ++b) {
    const std::size_t start = b * shape.size();
    round(start + shape.first_weight(), start + shape.first_bias(), kHiddenSteps);
    round(start + shape.second_weight(), start + shape.second_bias(), kHiddenSteps);
    round(start + shape.third_weight(), start + shape.third_bias(), kOutputSteps);
  }
}

float NnueStep::evaluate(const SparseBatch& batch, std::size_t position, float* sums,
                         float* products, StackTrace& trace) const {
  const std::size_t width = model_.width, half = width / 2, bucket = batch.bucket[position];
  float psqt = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    const auto features = batch.features_of(2 * position + side);
    float* const sum = sums + side * width;
    kernels_.add_features(model_.weight.data(), width, features, model_.bias.data(), sum);
    kernels_.multiply_pairs(sum, half, settings_.whole_activations, products + side * half);
    const float sign = side == 0 ? 0.5F : -0.5F;
    for (const std::size_t feature : features)
      psqt += sign * model_.psqt[feature * kBuckets + bucket];
  }
  return psqt +
         kernels_.forward(stack(bucket), width, products, settings_.whole_activations, trace);
}

// The gradient is that of the mean over the batch, with respect to the output.
void NnueStep::add_loss(double output, double target, double positions, Run& run,
                        float& gradient) const {
  const double slope = double{kUnitsPerOne} / settings_.score_scale;
  const double expected = 1 / (1 + std::exp(-output * slope));
  const double miss = std::abs(expected - target);
  const double flatter = std::pow(miss, settings_.loss_power - 1);
  run.loss += flatter * miss;
  const double change = settings_.loss_power * flatter * expected * (1 - expected) * slope;
  gradient = static_cast<float>((expected > target ? change : -change) / positions);
}

void NnueStep::keep_gradient(std::size_t row, const float* gradient) {
  for (std::size_t column = 0; column < model_.width; column += slice_width_)
    std::copy_n(gradient + column, slice_width_,
                gradients_.data() + column * rows_ + row * slice_width_);
}

void NnueStep::pass_run(const SparseBatch& batch, std::size_t number, bool learn) {
  Run& run = runs_[number];
  if (learn) run.clear();
  run.loss = 0;
  const std::size_t width = model_.width, half = width / 2, all = batch.positions();
  const std::size_t end = run_begin(all, number + 1);
  StackTrace trace;
  for (std::size_t i = run_begin(all, number); i < end; ++i) {
    float* const sums = run.sums.data();
    outputs_[i] = evaluate(batch, i, sums, run.products.data(), trace);
    add_loss(outputs_[i], batch.target[i], static_cast<double>(all), run, output_gradients_[i]);
    if (!learn) continue;
    const std::size_t bucket = batch.bucket[i];
    kernels_.backward(stack(bucket), width, run.products.data(), trace, output_gradients_[i],
                      run.stacks.data() + bucket * model_.shape().size(), run.products_back.data());
    for (std::size_t side = 0; side < 2; ++side) {
      float* const sum = sums + side * width;
      kernels_.pair_gradients(sum, half, run.products_back.data() + side * half);
      kernels_.add(run.bias.data(), sum, width);
      keep_gradient(2 * i + side, sum);
    }
  }
}

double NnueStep::pass(const SparseBatch& batch, bool learn) {
  assert(batch.positions() > 0);
  rows_ = 2 * batch.positions();
  outputs_.resize(batch.positions());
  output_gradients_.resize(batch.positions());
  if (learn && gradients_.size() < rows_ * model_.width)
    gradients_ = LargeArray<float>(rows_ * model_.width);
  if (settings_.whole_weights) round_layers();
  spread(kRuns, [&](std::size_t run) { pass_run(batch, run, learn); });
  double loss = 0;
  for (const Run& run : runs_) loss += run.loss;
  return loss / static_cast<double>(batch.positions());
}

void NnueStep::add_up_runs() {
  Run& sum = runs_.front();
  for (std::size_t i = 1; i < kRuns; ++i) {
    kernels_.add(sum.bias.data(), runs_[i].bias.data(), sum.bias.size());
    kernels_.add(sum.stacks.data(), runs_[i].stacks.data(), sum.stacks.size());
  }
}

void NnueStep::update_layers(const AdamStep& step) {
  constexpr float kNoLimit = 1e30F;
  Run& sum = runs_.front();
  AlignedVector<float> changes(std::max(sum.bias.size(), sum.stacks.size()));
  kernels_.adam(step, sum.bias.data(), bias_.first.data(), bias_.second.data(), changes.data(),
                sum.bias.size());
  kernels_.add_clipped(model_.bias.data(), changes.data(), nullptr, kNoLimit, sum.bias.size());

  kernels_.adam(step, sum.stacks.data(), stacks_.first.data(), stacks_.second.data(),
                changes.data(), sum.stacks.size());
  const StackShape shape = model_.shape();
  for (std::size_t b = 0; b < kBuckets; ++b) {
    const auto change = [&](std::size_t from, std::size_t to, float limit) {
      const std::size_t at = b * shape.size() + from;
      kernels_.add_clipped(model_.stacks.data() + at, changes.data() + at, nullptr, limit,
                           to - from);
    };
    change(shape.first_weight(), shape.first_bias(), kHiddenLimit);
    change(shape.first_bias(), shape.second_weight(), kNoLimit);
    change(shape.second_weight(), shape.second_bias(), kHiddenLimit);
    change(shape.second_bias(), shape.third_weight(), kNoLimit);
    change(shape.third_weight(), shape.third_bias(), kOutputLimit);
    change(shape.third_bias(), shape.size(), kNoLimit);
  }
}

double NnueStep::train(const SparseBatch& batch, double rate) {
  const double loss = pass(batch, true);
  const AdamStep step = AdamStep::at(++steps_, rate);
  add_up_runs();
  update_layers(step);
  update_features(batch, step);
  return loss;
}

double NnueStep::loss(const SparseBatch& batch) { return pass(batch, false); }

std::vector<float> NnueStep::outputs(const SparseBatch& batch) {
  pass(batch, false);
  return outputs_;
}

std::vector<std::span<float>> NnueStep::arrays() {
  std::vector<std::span<float>> arrays;
  for (Moments* moments : {&weight_, &shared_weight_, &psqt_, &shared_psqt_, &bias_, &stacks_})
    for (LargeArray<float>* array : {&moments->first, &moments->second})
      arrays.push_back(array->span());
  return arrays;
}

// The gradients are [kKingBuckets][columns], of a piece on a square; the rows of touched buckets
// are set.
void NnueStep::update_rows(const RowTable& table, std::size_t place, std::size_t column,
                           std::size_t columns, const float* gradients, std::uint32_t touched,
                           const AdamStep& step) const {
  alignas(64) float shared[kWidestSlice] = {}, shared_change[kWidestSlice], change[kWidestSlice];
  const float* common = nullptr;
  if (settings_.factorised) {
    for (std::size_t king = 0; king < kKingBuckets; ++king)
      if ((touched >> king & 1) != 0) kernels_.add(shared, gradients + king * columns, columns);
    const std::size_t at = place * table.width + column;
    kernels_.adam(step, shared, table.shared->first.data() + at, table.shared->second.data() + at,
                  shared_change, columns);
    common = shared_change;
  }
  for (std::size_t king = 0; king < kKingBuckets; ++king) {
    const std::size_t at = (king * kPieceSquares + place) * table.width + column;
    if ((touched >> king & 1) != 0) {
      kernels_.adam(step, gradients + king * columns, table.moments->first.data() + at,
                    table.moments->second.data() + at, change, columns);
      kernels_.add_clipped(table.values + at, change, common, table.limit, columns);
    } else if (common != nullptr) {
      kernels_.add_clipped(table.values + at, common, nullptr, table.limit, columns);
    }
  }
}

void NnueStep::update_slice(const SparseBatch& batch, const AdamStep& step, std::size_t slice,
                            std::size_t place) {
  alignas(64) float gradients[kKingBuckets * kWidestSlice];
  const std::size_t column = slice * slice_width_;
  std::uint32_t touched = 0;
  for (std::size_t king = 0; king < kKingBuckets; ++king) {
    const auto rows = batch.rows_of(king * kPieceSquares + place);
    if (rows.empty()) continue;
    touched |= std::uint32_t{1} << king;
    kernels_.add_gradients(gradients_.data() + column * rows_, slice_width_, rows,
                           gradients + king * slice_width_);
  }
  if (touched == 0) return;
  update_rows(
      {model_.weight.data(), &weight_, &shared_weight_, model_.width, settings_.transformer_limit},
      place, column, slice_width_, gradients, touched, step);
}

void NnueStep::psqt_gradient(const SparseBatch& batch, std::size_t feature, float* to) const {
  std::fill_n(to, kBuckets, 0.0F);
  for (const std::size_t row : batch.rows_of(feature)) {
    const float gradient = output_gradients_[row / 2];
    to[batch.bucket[row / 2]] += row % 2 == 0 ? 0.5F * gradient : -0.5F * gradient;
  }
}

void NnueStep::update_psqt(const SparseBatch& batch, const AdamStep& step, std::size_t place) {
  constexpr float kNoLimit = 1e30F;
  alignas(64) float gradients[kKingBuckets * kBuckets];
  std::uint32_t touched = 0;
  for (std::size_t king = 0; king < kKingBuckets; ++king) {
    const std::size_t feature = king * kPieceSquares + place;
    if (batch.rows_of(feature).empty()) continue;
    touched |= std::uint32_t{1} << king;
    psqt_gradient(batch, feature, gradients + king * kBuckets);
  }
  if (touched == 0) return;
  update_rows({model_.psqt.data(), &psqt_, &shared_psqt_, kBuckets, kNoLimit}, place, 0, kBuckets,
              gradients, touched, step);
}

void NnueStep::update_features(const SparseBatch& batch, const AdamStep& step) {
  // Slice after slice, so that all threads read the same part of the gradients.
  const std::size_t slices = model_.width / slice_width_;
  spread((slices + 1) * kPieceSquares, [&](std::size_t task) {
    const std::size_t slice = task / kPieceSquares, place = task % kPieceSquares;
    if (slice < slices)
      update_slice(batch, step, slice, place);
    else
      update_psqt(batch, step, place);
  });
}

NnueModel NnueStep::gradient(const SparseBatch& batch) {
  pass(batch, true);
  add_up_runs();
  NnueModel gradient = NnueModel::empty(model_.width);
  gradient.bias = runs_.front().bias;
  gradient.stacks = runs_.front().stacks;
  AlignedVector<float> sums(slice_width_);
  for (std::size_t feature = 0; feature < kFeatures; ++feature) {
    const auto rows = batch.rows_of(feature);
    if (rows.empty()) continue;
    psqt_gradient(batch, feature, gradient.psqt.data() + feature * kBuckets);
    for (std::size_t column = 0; column < model_.width; column += slice_width_) {
      kernels_.add_gradients(gradients_.data() + column * rows_, slice_width_, rows, sums.data());
      std::ranges::copy(sums, gradient.weight.data() + feature * model_.width + column);
    }
  }
  return gradient;
}

}  // namespace aleph::train
