#include "train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "data/dataset/dataset.h"
#include "train/check_data.h"
#include "train/checkpoint_file.h"
#include "train/learner.h"
#include "train/run_export.h"
#include "train/run_folder.h"
#include "train/run_state.h"
#include "train/sample_source.h"
#include "train/validation.h"

namespace aleph::train {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Validation rows are the same for all runs, so that runs can be compared.
constexpr std::uint64_t kValidationSeed = 1;
constexpr std::size_t kValidationBatch = 256;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Run {
 public:
  Run(const TrainConfig& config, const RunOptions& options)
      : config_(config), options_(options), is_averaged_(config.ema > 0) {}

  Result<RunReport> run() {
    if (const Status status = prepare(); !status.ok()) return Error{status.error()};
    if (const Status status = learn(); !status.ok()) return Error{status.error()};
    if (const Status status = finish(); !status.ok()) return Error{status.error()};
    return std::move(report_);
  }

 private:
  bool is_first() const { return group_ == nullptr || group_->rank() == 0; }
  std::size_t world() const { return group_ == nullptr ? 1 : group_->world(); }

  Status prepare();
  Status agree(const Status& own);
  Status open_data();
  Status open_folder();
  Status share_checkpoint();
  Status make_learner();
  Status open_log();

  Status learn();
  Status step();
  Status stop_at(const Samples& samples, const StepResult& result);
  Status add_entry(LogEntry::Kind kind, std::vector<std::pair<std::string, double>> numbers);
  Status log_training(const StepResult& result);
  Status validate_now();
  Status save_checkpoint();
  bool is_patience_over() const;
  double seconds() const { return seconds_before_ + seconds_since(start_); }

  Status finish();
  Status take_mean();

  const TrainConfig& config_;
  const RunOptions& options_;
  const bool is_averaged_;  // the weights that count are the EMA's
  std::unique_ptr<ProcessGroup> group_;
  data::Dataset dataset_;
  std::unique_ptr<SampleSource> source_, validation_source_;
  std::uint64_t steps_ = 0;
  std::unique_ptr<Learner> learner_;
  std::optional<CheckpointFile> checkpoint_;  // to go on from
  std::unique_ptr<RunLog> log_;               // of rank 0
  RunState state_;
  std::optional<Validation> validation_;  // of the weights as they are now
  RunReport report_;

  Clock::time_point start_ = Clock::now();
  double seconds_before_ = 0;
  // For the speed since the last line of the log; validations do not count.
  double learning_seconds_ = 0;
  std::uint64_t learned_rows_ = 0;
};

// A process that fails tells the others, so that none of them waits.
Status Run::agree(const Status& own) {
  if (group_ == nullptr) return own;
  double failures = own.ok() ? 0 : 1;
  const Status summed = group_->sum(std::span(&failures, 1));
  if (!own.ok()) return own;
  if (!summed.ok()) return summed;
  if (failures == 0) return Status::success();
  return Error{"another process of the group could not go on; its message says why"};
}

Status Run::prepare() {
  if (options_.launch && options_.launch->world > 1) {
    auto group = ProcessGroup::join(*options_.launch);
    if (!group.ok()) return Error{group.error()};
    group_ = group.take();
  }
  if (Status status = agree(open_data()); !status.ok()) return status;
  if (Status status = agree(open_folder()); !status.ok()) return status;
  if (Status status = share_checkpoint(); !status.ok()) return status;
  if (Status status = agree(make_learner()); !status.ok()) return status;
  return agree(open_log());
}

Status Run::open_data() {
  if (config_.batch < world())
    return Error{fmt::format("a batch of {} rows cannot be divided between {} processes",
                             config_.batch, world())};
  auto dataset = data::Dataset::open(config_.data.dataset);
  if (!dataset.ok())
    return Error{fmt::format("{} is missing: {}", config_.data.dataset_key, dataset.error())};
  dataset_ = dataset.take();
  state_.data = describe_data(dataset_);
  if (Status status = check_data(config_, dataset_); !status.ok()) return status;

  SourceOptions training;
  training.split = config_.data.train;
  training.rows = config_.batch;
  training.shuffle = config_.data.shuffle;
  training.seed = config_.seed;
  training.rank = group_ == nullptr ? 0 : group_->rank();
  training.world = world();
  training.keep_positions = config_.teacher.has_value();
  SourceOptions validation = training;
  validation.split = config_.data.validation;
  validation.rows = kValidationBatch * world();
  validation.shuffle = true;
  validation.seed = kValidationSeed;
  validation.repeat = false;
  validation.most_rows = config_.data.validation_rows;
  auto source = SampleSource::open(dataset_, config_.model, training);
  if (!source.ok()) return Error{config_.data.dataset_key + ": " + source.error()};
  source_ = source.take();
  auto validation_source = SampleSource::open(dataset_, config_.model, validation);
  if (!validation_source.ok())
    return Error{config_.data.validation_key + ": " + validation_source.error()};
  validation_source_ = validation_source.take();

  const double rows = static_cast<double>(source_->rows());
  steps_ = config_.steps ? *config_.steps
                         : static_cast<std::uint64_t>(std::ceil(
                               *config_.epochs * rows / static_cast<double>(config_.batch)));
  return Status::success();
}

Status Run::open_folder() {
  if (!is_first()) return Status::success();
  auto checkpoint = open_run_folder(options_.out, config_, options_.resume);
  if (!checkpoint.ok()) return Error{checkpoint.error()};
  checkpoint_ = checkpoint.take();
  return Status::success();
}

// Other machines may not see the folder: rank 0's checkpoint goes to all.
Status Run::share_checkpoint() {
  if (group_ == nullptr) return Status::success();
  std::vector<std::byte> bytes;
  if (is_first() && checkpoint_) bytes = checkpoint_->file_bytes();
  std::uint64_t size = bytes.size();
  if (Status status = group_->broadcast(std::as_writable_bytes(std::span(&size, 1))); !status.ok())
    return status;
  if (size == 0) return Status::success();
  bytes.resize(size);
  if (Status status = group_->broadcast(bytes); !status.ok()) return status;
  auto checkpoint = CheckpointFile::parse(bytes);
  if (!checkpoint.ok()) return Error{checkpoint.error()};
  checkpoint_ = checkpoint.take();
  return Status::success();
}

Status Run::make_learner() {
  auto learner = Learner::make(config_, steps_, group_.get());
  if (!learner.ok()) return Error{learner.error()};
  learner_ = learner.take();
  report_.parameters = learner_->graph().parameters();
  report_.flops = learner_->graph().flops();
  if (!checkpoint_) return Status::success();
  const auto state = load(*checkpoint_, config_, state_.data);
  if (!state.ok()) return Error{state.error()};
  state_ = state.value();
  seconds_before_ = state_.seconds;
  if (Status status = learner_->load(*checkpoint_); !status.ok()) return status;
  checkpoint_.reset();
  return source_->go_to(state_.place);
}

Status Run::open_log() {
  if (!is_first()) return Status::success();
  auto log = RunLog::open(options_.out, config_.name, state_.step);
  if (!log.ok()) return Error{log.error()};
  log_ = log.take();
  return Status::success();
}

bool Run::is_patience_over() const {
  return config_.stopping.patience && state_.without_gain >= *config_.stopping.patience;
}

Status Run::learn() {
  start_ = Clock::now();
  while (state_.step < steps_ && !is_patience_over()) {
    if (Status status = step(); !status.ok()) return status;
    const bool is_last = state_.step == steps_;
    if (is_last || state_.step % config_.validate_every == 0)
      if (Status status = validate_now(); !status.ok()) return status;
    if (is_last || is_patience_over() || state_.step % config_.checkpoint_every == 0)
      if (Status status = save_checkpoint(); !status.ok()) return status;
  }
  report_.stopped_because = is_patience_over()
                                ? fmt::format("no gain in {} validations", state_.without_gain)
                                : "all steps are done";
  return Status::success();
}

Status Run::step() {
  const Clock::time_point start = Clock::now();
  const auto samples = source_->next();
  if (!samples.ok()) return Error{samples.error()};
  const auto result = learner_->step(samples.value());
  if (!result.ok()) return Error{fmt::format("step {}: {}", state_.step + 1, result.error())};
  if (!result.value().is_finite) return stop_at(samples.value(), result.value());
  validation_.reset();
  ++state_.step;
  state_.samples += config_.batch;
  state_.place = source_->place();
  learning_seconds_ += seconds_since(start);
  learned_rows_ += config_.batch;

  state_.window.resize(1 + result.value().terms.size());
  ++state_.window_steps;
  state_.window[0] += result.value().loss;
  for (std::size_t i = 0; i < result.value().terms.size(); ++i)
    state_.window[i + 1] += result.value().terms[i];
  if (options_.on_step)
    options_.on_step(state_.step, steps_, result.value().loss,
                     static_cast<double>(learned_rows_) / std::max(learning_seconds_, 1e-9));
  if (state_.step % config_.log_every == 0 || state_.step == steps_)
    return log_training(result.value());
  return Status::success();
}

// The state is the one before the step, since the learner has changed nothing.
Status Run::stop_at(const Samples& samples, const StepResult& result) {
  const std::uint64_t step = state_.step + 1;
  const fs::path file = options_.out / fmt::format("nan-step-{}.aleph", step);
  std::string kept = "the first process has the state";
  if (is_first()) {
    CheckpointFile checkpoint;
    learner_->save(checkpoint);
    save(state_, config_, checkpoint);
    save(samples, checkpoint);
    const Status written = checkpoint.write(file);
    kept = written.ok() ? fmt::format("the state before it and the batch are in {}", file.string())
                        : written.error();
  }
  return Error{fmt::format(
      "the loss is not a number at step {} (loss {}, norm of the gradient {}, rate {:.3g}; epoch "
      "{}, rows {} to {}): {}",
      step, result.loss, result.gradient_norm, result.rate, state_.place.epoch, state_.place.rows,
      state_.place.rows + config_.batch, kept)};
}

Status Run::add_entry(LogEntry::Kind kind, std::vector<std::pair<std::string, double>> numbers) {
  LogEntry entry{kind, state_.step, state_.samples, seconds(), std::move(numbers)};
  if (options_.on_entry) options_.on_entry(entry);
  return log_ == nullptr ? Status::success() : log_->add(entry);
}

Status Run::log_training(const StepResult& result) {
  const double steps = static_cast<double>(state_.window_steps);
  std::vector<std::pair<std::string, double>> numbers{
      {"loss", state_.window[0] / steps},
      {"rate", result.rate},
      {"gradient_norm", result.gradient_norm},
      {"samples_per_second",
       static_cast<double>(learned_rows_) / std::max(learning_seconds_, 1e-9)}};
  for (std::size_t i = 1; i < state_.window.size() && i <= config_.losses.size(); ++i)
    numbers.emplace_back(fmt::format("loss_{}", to_text(config_.losses[i - 1].kind)),
                         state_.window[i] / steps);
  state_.window_steps = 0;
  state_.window.clear();
  learning_seconds_ = 0;
  learned_rows_ = 0;
  return add_entry(LogEntry::Kind::Train, std::move(numbers));
}

Status Run::validate_now() {
  const Clock::time_point start = Clock::now();
  auto found = validate(*learner_, *validation_source_, is_averaged_, group_.get());
  if (!found.ok()) return Error{found.error()};
  validation_ = found.take();
  state_.note_validation(validation_->loss, config_.stopping);
  std::vector<std::pair<std::string, double>> numbers{{"loss", validation_->loss}};
  for (auto& number : as_numbers(validation_->metrics)) numbers.push_back(std::move(number));
  numbers.emplace_back("validation_seconds", seconds_since(start));
  return add_entry(LogEntry::Kind::Validation, std::move(numbers));
}

Status Run::save_checkpoint() {
  if (!is_first()) return Status::success();
  state_.seconds = seconds();
  CheckpointFile checkpoint;
  learner_->save(checkpoint);
  save(state_, config_, checkpoint);
  if (Status status = checkpoint.write(checkpoint_name(options_.out, state_.step)); !status.ok())
    return status;
  remove_old_checkpoints(options_.out, std::max(config_.keep_checkpoints, config_.average_last));
  return Status::success();
}

// The mean of the last checkpoints takes the place of the weights, in all processes.
Status Run::take_mean() {
  MeanWeights mean;
  Status own = Status::success();
  if (is_first()) {
    auto found = mean_weights(options_.out, config_.average_last, is_averaged_);
    if (found.ok())
      mean = found.take();
    else
      own = Error{found.error()};
  }
  if (Status status = agree(own); !status.ok()) return status;
  CheckpointFile checkpoint;
  learner_->save(checkpoint);
  if (group_ != nullptr) {
    mean.numbers.resize(checkpoint.floats(weights_part(is_averaged_))->size());
    if (Status status = group_->broadcast(std::as_writable_bytes(std::span(mean.numbers)));
        !status.ok())
      return status;
  }
  checkpoint.set_floats(weights_part(false), mean.numbers);
  report_.averaged = mean.checkpoints;
  return learner_->load(checkpoint);
}

Status Run::finish() {
  const bool is_mean = config_.average_last > 0;
  // A run that was over before it was resumed.
  if (!validation_) {
    auto found = validate(*learner_, *validation_source_, is_averaged_, group_.get());
    if (!found.ok()) return Error{found.error()};
    validation_ = found.take();
  }
  if (is_mean) {
    report_.last = validation_->metrics;
    if (Status status = take_mean(); !status.ok()) return status;
    auto found = validate(*learner_, *validation_source_, false, group_.get());
    if (!found.ok()) return Error{found.error()};
    validation_ = found.take();
  }
  report_.steps = state_.step;
  report_.samples = state_.samples;
  report_.seconds = seconds();
  report_.validation = validation_->metrics;
  report_.validation_loss = validation_->loss;
  if (!is_first()) return Status::success();
  report_.entries = log_->entries();

  nets::NetFile network{config_.model, card_of(config_, dataset_, report_),
                        learner_->tensors(is_averaged_ && !is_mean)};
  if (network.spec.name.empty()) network.spec.name = config_.name;
  report_.network = options_.out / (config_.name + ".safetensors");
  const auto parity = export_network(report_.network, network, report_.flops);
  if (!parity.ok()) return Error{parity.error()};
  report_.parity = parity.value();
  return Status::success();
}

}  // namespace

Result<RunReport> train(const TrainConfig& config, const RunOptions& options) {
  return Run(config, options).run();
}

}  // namespace aleph::train
