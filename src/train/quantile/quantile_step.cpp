#include "train/quantile/quantile_step.h"

#include <algorithm>
#include <cassert>

#include "train/quantile/quantile_kernels.h"

namespace aleph::train {
namespace {

constexpr std::size_t kRuns = 16;
constexpr double kMostUnits = 29'000;  // as far as evaluations go

std::size_t run_begin(std::size_t rows, std::size_t run) { return rows * run / kRuns; }

}  // namespace

double target_logit(int score, double score_unit) {
  return std::clamp(score * score_unit, -kMostUnits, kMostUnits) / nnue::kQuantileScale;
}

struct QuantileStep::Run {
  double loss = 0;
  AlignedVector<float> gradients;
  AlignedVector<std::uint16_t> places;  // scratch
  AlignedVector<float> values;
  std::vector<double> targets;
  std::array<std::vector<std::size_t>, nnue::kBuckets> by_bucket;  // places in the batch

  Run(const QuantileModel& model, const FeatureCache& cache)
      : gradients(model.values.size()),
        places(model.width),
        values(model.width),
        targets(cache.scores_per_row()) {}
};

QuantileStep::QuantileStep(QuantileModel& model, const FeatureCache& cache,
                           const QuantileLoss& loss, std::size_t threads, bool whole)
    : model_(model),
      cache_(cache),
      loss_(loss),
      whole_(whole),
      pool_(threads > 1 ? std::make_unique<ThreadPool>(threads - 1) : nullptr),
      first_(model.values.size()),
      second_(model.values.size()),
      runs_(kRuns, Run(model, cache)) {
  assert(model.width == cache.width());
}

QuantileStep::~QuantileStep() = default;

void QuantileStep::spread(std::size_t count, const std::function<void(std::size_t)>& work) {
  if (pool_) return pool_->parallel_for(count, work);
  for (std::size_t i = 0; i < count; ++i) work(i);
}

// Bucket after bucket, so that one stack and its gradients stay in the cache.
void QuantileStep::pass_run(std::span<const std::uint32_t> rows, Run& run, std::size_t from,
                            std::size_t to, bool learn) {
  const QuantileShape shape = model_.shape();
  const auto positions = static_cast<double>(rows.size());
  QuantileTrace trace;
  RowLogits gradients;
  for (auto& places : run.by_bucket) places.clear();
  for (std::size_t i = from; i < to; ++i) run.by_bucket[cache_.row(rows[i]).bucket].push_back(i);
  for (std::size_t bucket = 0; bucket < nnue::kBuckets; ++bucket)
    for (const std::size_t i : run.by_bucket[bucket]) {
      const CachedRow& row = cache_.row(rows[i]);
      const SparseInputs inputs{
          run.places.data(), run.values.data(),
          cache_.unpack_sparse(rows[i], run.places.data(), run.values.data())};
      quantile_forward(scaled_.stack(bucket), shape, inputs, whole_, trace);
      if (answers_ != nullptr) (*answers_)[i] = trace.logits;
      const auto scores = cache_.scores(rows[i]);
      for (std::size_t s = 0; s < scores.size(); ++s)
        run.targets[s] = target_logit(scores[s], loss_.score_unit);
      const double base = static_cast<double>(row.base_units()) / nnue::kQuantileScale;
      run.loss += pinball_loss(base, trace.logits, run.targets, gradients, loss_.logit_weight);
      if (!learn) continue;
      for (double& gradient : gradients) gradient /= positions;
      quantile_backward(scaled_.stack(bucket), shape, inputs, trace, gradients,
                        run.gradients.data() + bucket * shape.size());
    }
}

double QuantileStep::pass(std::span<const std::uint32_t> rows, bool learn) {
  assert(!rows.empty());
  scaled_ = in_engine_scale(model_, whole_);
  spread(kRuns, [&](std::size_t number) {
    Run& run = runs_[number];
    run.loss = 0;
    if (learn) std::ranges::fill(run.gradients, 0.0F);
    pass_run(rows, run, run_begin(rows.size(), number), run_begin(rows.size(), number + 1), learn);
  });
  double loss = 0;
  for (const Run& run : runs_) loss += run.loss;
  return loss / static_cast<double>(rows.size());
}

void QuantileStep::add_up_runs() {
  spread(nnue::kBuckets, [&](std::size_t bucket) {
    const std::size_t count = model_.shape().size(), at = bucket * count;
    for (std::size_t i = 1; i < kRuns; ++i)
      add_floats(runs_[0].gradients.data() + at, runs_[i].gradients.data() + at, count);
  });
}

void QuantileStep::update(double rate) {
  constexpr float kNoLimit = 1e30F;
  const AdamRate adam = AdamRate::at(++steps_, rate);
  const QuantileShape shape = model_.shape();
  const auto change = [&](std::size_t at, std::size_t count, float limit) {
    adam_step(adam, runs_[0].gradients.data() + at, first_.data() + at, second_.data() + at,
              model_.values.data() + at, count, limit);
  };
  spread(nnue::kBuckets, [&](std::size_t bucket) {
    const std::size_t at = bucket * shape.size();
    change(at + shape.first_weight(), shape.first_bias() - shape.first_weight(), kWeightLimit);
    change(at + shape.first_bias(), shape.second_weight() - shape.first_bias(), kNoLimit);
    change(at + shape.second_weight(), shape.second_bias() - shape.second_weight(), kWeightLimit);
    change(at + shape.second_bias(), shape.third_weight() - shape.second_bias(), kNoLimit);
    change(at + shape.third_weight(), shape.third_bias() - shape.third_weight(), kWeightLimit);
    change(at + shape.third_bias(), shape.size() - shape.third_bias(), kNoLimit);
  });
}

double QuantileStep::train(std::span<const std::uint32_t> rows, double rate) {
  const double loss = pass(rows, true);
  add_up_runs();
  update(rate);
  return loss;
}

double QuantileStep::loss(std::span<const std::uint32_t> rows) { return pass(rows, false); }

std::vector<RowLogits> QuantileStep::logits(std::span<const std::uint32_t> rows) {
  std::vector<RowLogits> answers(rows.size());
  answers_ = &answers;
  pass(rows, false);
  answers_ = nullptr;
  return answers;
}

QuantileModel QuantileStep::gradient(std::span<const std::uint32_t> rows) {
  pass(rows, true);
  add_up_runs();
  QuantileModel gradient = QuantileModel::empty(model_.width);
  gradient.values = runs_[0].gradients;
  return gradient;
}

}  // namespace aleph::train
