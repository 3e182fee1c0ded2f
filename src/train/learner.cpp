#include "train/learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <stdexcept>

#include "train/dropout.h"
#include "train/learner_parts.h"
#include "train/loss_terms.h"
#include "train/model.h"
#include "train/optimizer.h"
#include "train/parameters.h"
#include "train/replicas.h"
#include "train/schedule.h"
#include "train/teacher.h"

namespace aleph::train {
namespace {

constexpr double kBatchNormMomentum = 0.1;  // what a new batch counts in the averages

// At first the weights change fast, and an average that remembers the very first would be useless.
double average_decay(double decay, std::uint64_t step) {
  const double t = static_cast<double>(step);
  return std::min(decay, (1 + t) / (10 + t));
}

class TorchLearner final : public Learner {
 public:
  TorchLearner(const TrainConfig& config, std::uint64_t steps, ProcessGroup* group, Student network,
               LossTerms terms, std::optional<Teacher> teacher, const Machine& machine)
      : config_(config),
        steps_(steps),
        group_(group),
        network_(std::move(network)),
        terms_(std::move(terms)),
        teacher_(std::move(teacher)),
        machine_(machine),
        adam_(config.optimizer, network_.layout.learned,
              decaying_places(network_.graph, network_.layout)),
        gradient_(network_.layout.size, 0.0F),
        replicas_(machine.replicas),
        working_(machine.replicas) {
    if (config.ema > 0) average_ = network_.weights;
  }

  // Apart from the constructor, since torch may fail.
  Status make_models() {
    for (Working& replica : working_) {
      if (Status status = make_model(network_.weights, true, replica.model); !status.ok())
        return status;
      if (!average_.empty())
        if (Status status = make_model(average_, false, replica.average); !status.ok())
          return status;
      if (teacher_) replica.workspace = teacher_->workspace(config_.micro_batch);
    }
    return Status::success();
  }

  const nets::Graph& graph() const override { return network_.graph; }
  std::string device() const override { return machine_.describe(); }
  std::uint64_t steps_done() const override { return steps_done_; }

  Result<StepResult> step(const Samples& samples) override {
    try {
      return guarded_step(samples);
    } catch (const std::exception& problem) {
      for (Working& replica : working_) clear(replica.model->gradient());
      return Error{fmt::format("step {}: {}", steps_done_ + 1, problem.what())};
    }
  }

  Outputs evaluate(const Samples& samples, bool averaged) override {
    Outputs outputs(network_.graph.outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].resize(samples.size * width_of(i));
    replicas_.run(
        pieces_of(samples),
        [&](std::size_t replica, std::size_t piece) {
          Working& own = working_[replica];
          const Rows rows = rows_of(samples, piece);
          model_of(own, averaged).evaluate(samples, rows, own.answers);
          for (std::size_t i = 0; i < outputs.size(); ++i)
            std::copy(own.answers[i].begin(), own.answers[i].end(),
                      outputs[i].begin() + static_cast<std::ptrdiff_t>(rows.first * width_of(i)));
        },
        [](std::size_t, std::size_t) {});
    return outputs;
  }

  StepResult measure(const Samples& given, bool averaged) override {
    Samples taught;
    const Samples& samples = with_teacher(given, taught);
    const std::vector<double> counts = terms_.counts(samples);
    const std::vector<double> factors(counts.size(), 0.0);
    std::vector<double> sums(counts.size(), 0.0);
    replicas_.run(
        pieces_of(samples),
        [&](std::size_t replica, std::size_t piece) {
          Working& own = working_[replica];
          const Rows rows = rows_of(samples, piece);
          model_of(own, averaged).evaluate(samples, rows, own.answers);
          compare(own, samples, rows, factors);
        },
        [&](std::size_t replica, std::size_t) { add_sums(working_[replica], sums); });
    StepResult result = result_of(sums, counts);
    result.rate = rate_of_next_step();
    result.is_finite = std::isfinite(result.loss);
    return result;
  }

  void save(CheckpointFile& checkpoint) const override {
    checkpoint.set_floats("learner.weights", network_.weights);
    checkpoint.set_floats("learner.moment1", adam_.moment1());
    checkpoint.set_floats("learner.moment2", adam_.moment2());
    if (!average_.empty()) checkpoint.set_floats("learner.average", average_);
    checkpoint.set_text("learner.steps", std::to_string(steps_done_));
    checkpoint.set_text("learner.precision", machine_.bf16 ? "bf16" : "fp32");
  }

  Status load(const CheckpointFile& checkpoint) override {
    const LearnerState state = read_state(checkpoint, network_.layout, !average_.empty());
    if (!state.problem.empty()) return Error{state.problem};
    std::copy(state.weights.begin(), state.weights.end(), network_.weights.begin());
    std::copy(state.moment1.begin(), state.moment1.end(), adam_.moment1().begin());
    std::copy(state.moment2.begin(), state.moment2.end(), adam_.moment2().begin());
    if (!average_.empty()) std::copy(state.average.begin(), state.average.end(), average_.begin());
    steps_done_ = state.steps;
    // A run goes on as it began, also where another machine would have chosen otherwise.
    if (machine_.bf16 != state.bf16) {
      machine_.bf16 = state.bf16;
      return make_models();
    }
    weights_changed();
    return Status::success();
  }

  nets::Tensors tensors(bool averaged) const override {
    const bool average = averaged && !average_.empty();
    return tensors_of(network_.graph, network_.layout, average ? average_ : network_.weights);
  }

 private:
  // What a replica has for itself.
  struct Working {
    std::unique_ptr<Model> model, average;
    std::unique_ptr<nets::Network::Workspace> workspace;  // of the teacher
    Answers answers, changes;                             // changes: the gradient of answers
    std::vector<double> sums;                             // of the terms
  };

  static void clear(std::span<float> numbers) { std::fill(numbers.begin(), numbers.end(), 0.0F); }

  Status make_model(const Flat& weights, bool learns, std::unique_ptr<Model>& model) const {
    Result<std::unique_ptr<Model>> made =
        Model::make(config_.model, network_.graph, network_.layout, weights,
                    {.cuda = machine_.cuda, .bf16 = machine_.bf16, .learns = learns});
    if (!made.ok()) return Error{made.error()};
    model = made.take();
    return Status::success();
  }

  std::size_t width_of(std::size_t output) const {
    return network_.graph.shapes[static_cast<std::size_t>(network_.graph.outputs[output].value)]
        .size();
  }
  std::size_t pieces_of(const Samples& samples) const {
    return (samples.size + config_.micro_batch - 1) / config_.micro_batch;
  }
  Rows rows_of(const Samples& samples, std::size_t piece) const {
    const std::size_t first = piece * config_.micro_batch;
    return {first, std::min(config_.micro_batch, samples.size - first)};
  }
  Model& model_of(Working& replica, bool averaged) const {
    return averaged && replica.average ? *replica.average : *replica.model;
  }
  double rate_of_next_step() const {
    return learning_rate(config_.schedule, width_of_trunk(config_.model), steps_done_ + 1, steps_);
  }

  // The samples with what the teacher says of them; `taught` is where it may be put.
  const Samples& with_teacher(const Samples& samples, Samples& taught) {
    if (!teacher_ || !samples.teacher_policy.empty() || !samples.teacher_wdl.empty())
      return samples;
    taught = samples;
    teacher_->make_room(taught);
    replicas_.run(
        pieces_of(taught),
        [&](std::size_t replica, std::size_t piece) {
          const Status status =
              teacher_->answer(*working_[replica].workspace, taught, rows_of(taught, piece));
          if (!status.ok()) throw std::runtime_error(status.error());
        },
        [](std::size_t, std::size_t) {});
    return taught;
  }

  // The loss of answers, and how it changes with them.
  void compare(Working& own, const Samples& samples, Rows rows,
               std::span<const double> factors) const {
    own.sums.assign(terms_.size(), 0.0);
    own.changes.resize(own.answers.size());
    for (std::size_t i = 0; i < own.changes.size(); ++i)
      own.changes[i].assign(own.answers[i].size(), 0.0F);
    terms_.add(samples, rows, own.answers, factors, own.sums, own.changes);
  }
  static void add_sums(const Working& own, std::span<double> sums) {
    for (std::size_t i = 0; i < own.sums.size(); ++i) sums[i] += own.sums[i];
  }

  StepResult result_of(std::span<const double> sums, std::span<const double> counts) const {
    StepResult result;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      result.terms.push_back(counts[i] > 0 ? sums[i] / counts[i] : 0);
      result.loss += terms_.weight(i) * result.terms.back();
    }
    return result;
  }

  // Sums over this process's part of the batch: the gradient, and the terms. row_share: what a row
  // counts in the statistics of batch norms, which lie behind the gradient.
  std::vector<double> compute_gradient(const Samples& samples, std::span<const double> factors,
                                       double row_share) {
    clear(gradient_);
    std::vector<double> sums(terms_.size(), 0.0);
    const std::size_t learned = network_.layout.learned;
    const std::uint64_t first_piece =
        (group_ == nullptr ? 0 : group_->rank()) * std::uint64_t{pieces_of(samples)};
    const std::uint64_t key = mixed_key(config_.seed, steps_done_ + 1);
    replicas_.run(
        pieces_of(samples),
        [&](std::size_t replica, std::size_t piece) {
          Working& own = working_[replica];
          const Rows rows = rows_of(samples, piece);
          own.model->forward(samples, rows, mixed_key(key, first_piece + piece), own.answers);
          compare(own, samples, rows, factors);
          own.model->backward(own.changes);
        },
        [&](std::size_t replica, std::size_t piece) {
          const std::span<float> own = working_[replica].model->gradient();
          const std::span<float> all(gradient_);
          const double share = row_share * static_cast<double>(rows_of(samples, piece).count);
          add_scaled(all.first(learned), own.first(learned), 1.0F);
          add_scaled(all.subspan(learned), own.subspan(learned), static_cast<float>(share));
          clear(own);
          add_sums(working_[replica], sums);
        });
    return sums;
  }

  Result<StepResult> guarded_step(const Samples& given) {
    Samples taught;
    const Samples& samples = with_teacher(given, taught);
    // How many rows each term concerns, over all processes, and how many there are.
    std::vector<double> counts = terms_.counts(samples);
    counts.push_back(static_cast<double>(samples.size));
    if (group_ != nullptr)
      if (Status status = group_->sum(std::span(counts)); !status.ok())
        return Error{status.error()};
    std::vector<double> factors(terms_.size());
    for (std::size_t i = 0; i < factors.size(); ++i)
      factors[i] = counts[i] > 0 ? terms_.weight(i) / counts[i] : 0;

    std::vector<double> sums = compute_gradient(samples, factors, 1 / counts.back());
    if (group_ != nullptr) {
      if (Status status = group_->sum(std::span<float>(gradient_)); !status.ok())
        return Error{status.error()};
      if (Status status = group_->sum(std::span(sums)); !status.ok()) return Error{status.error()};
    }
    StepResult result = result_of(sums, counts);
    result.gradient_norm = norm_of(std::span(gradient_).first(network_.layout.learned));
    result.rate = rate_of_next_step();
    result.is_finite = std::isfinite(result.loss) && std::isfinite(result.gradient_norm);
    if (result.is_finite) learn(result);
    return result;
  }

  void learn(const StepResult& result) {
    const double clip = config_.optimizer.clip;
    const double scale = clip > 0 && result.gradient_norm > clip ? clip / result.gradient_norm : 1;
    ++steps_done_;
    adam_.step(network_.weights, gradient_, scale, result.rate, steps_done_);
    const std::size_t learned = network_.layout.learned;
    move_average(std::span(network_.weights).subspan(learned),
                 std::span<const float>(gradient_).subspan(learned), 1 - kBatchNormMomentum);
    if (!average_.empty())
      move_average(average_, network_.weights, average_decay(config_.ema, steps_done_));
    weights_changed();
  }

  void weights_changed() {
    for (Working& replica : working_) {
      replica.model->weights_changed();
      if (replica.average) replica.average->weights_changed();
    }
  }

  const TrainConfig config_;
  const std::uint64_t steps_;
  ProcessGroup* const group_;
  Student network_;
  const LossTerms terms_;
  const std::optional<Teacher> teacher_;
  Machine machine_;
  Adam adam_;
  Flat average_;   // of the weights; empty: none is wanted
  Flat gradient_;  // of the whole batch, and the statistics of batch norms
  std::uint64_t steps_done_ = 0;
  Replicas replicas_;
  std::vector<Working> working_;  // by replica
};

}  // namespace

Result<std::unique_ptr<Learner>> Learner::make(const TrainConfig& config, std::uint64_t steps,
                                               ProcessGroup* group) {
  prepare_memory();
  Result<Student> network = make_network(config);
  if (!network.ok()) return Error{network.error()};
  Result<LossTerms> terms = LossTerms::make(config.losses, network.value().graph);
  if (!terms.ok()) return Error{terms.error()};
  Result<std::optional<Teacher>> teacher = make_teacher(config);
  if (!teacher.ok()) return Error{teacher.error()};
  Result<Machine> machine = choose_machine(config, network.value(), group);
  if (!machine.ok()) return Error{machine.error()};
  auto learner = std::make_unique<TorchLearner>(config, steps, group, network.take(), terms.take(),
                                                teacher.take(), machine.value());
  if (Status status = learner->make_models(); !status.ok()) return Error{status.error()};
  return std::unique_ptr<Learner>(std::move(learner));
}

}  // namespace aleph::train
