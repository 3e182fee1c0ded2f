#include "train/quantile/quantile_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/version.h"
#include "base/write_file.h"
#include "train/checkpoint_file.h"
#include "train/quantile/feature_builder.h"
#include "train/quantile/quantile_model.h"
#include "train/quantile/quantile_step.h"
#include "train/run_log.h"

namespace aleph::train {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr std::size_t kRoundingSample = 20'000, kKeptCheckpoints = 2;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

fs::path cache_file(const QuantileConfig& config) {
  return config.cache.empty() ? fs::path(config.out) / "features.bin" : fs::path(config.cache);
}

// Without what changes nothing about the numbers.
std::string identity_of(const QuantileConfig& config, const FeatureCache& cache) {
  Json json = Json::parse(quantile_config_json(config));
  for (const char* const key :
       {"name", "cache", "threads", "log_every", "validate_every", "checkpoint_every", "out"})
    json.erase(key);
  json["features"] = Json::parse(cache.identity());
  return json.dump();
}

class Trainer {
 public:
  Trainer(const QuantileConfig& config, const QuantileRunOptions& options,
          std::shared_ptr<const nnue::Model> base, FeatureCache cache)
      : config_(config),
        options_(options),
        folder_(config.out),
        base_(std::move(base)),
        cache_(std::move(cache)),
        identity_(identity_of(config, cache_)),
        rows_(split_rows(cache_, config.split)) {}

  Result<QuantileReport> run() {
    if (const Status status = begin(); !status.ok()) return Error{status.error()};
    while (step_->steps() < total_steps_ && !report_.stopped)
      if (const Status status = one_step(); !status.ok()) return Error{status.error()};
    bar_.reset();
    report_.steps = step_->steps();
    report_.positions = positions_at(step_->steps());
    report_.train_rows = rows_.train.size();
    report_.validation_rows = rows_.validation.size();
    if (!report_.stopped)
      if (const Status status = finish(); !status.ok()) return Error{status.error()};
    report_.seconds = seconds_since(start_);
    return report_;
  }

 private:
  Status begin() {
    if (rows_.train.empty() || rows_.validation.empty())
      return Error{
          fmt::format("{} rows for training and {} for validation: there must be some of "
                      "each, so more games or another share are needed",
                      rows_.train.size(), rows_.validation.size())};
    const auto batch = static_cast<std::uint64_t>(config_.batch);
    epoch_steps_ = (rows_.train.size() + batch - 1) / batch;
    total_steps_ = epoch_steps_ * static_cast<std::uint64_t>(config_.epochs);
    if (config_.steps > 0) total_steps_ = std::min(total_steps_, config_.steps);
    baselines_ = fit_baselines(cache_, rows_.train, config_.score_unit);
    model_ = QuantileModel::random(cache_.width(), config_.seed, bucket_margins(baselines_));
    step_ = std::make_unique<QuantileStep>(model_, cache_,
                                           QuantileLoss{config_.score_unit, config_.logit_weight},
                                           static_cast<std::size_t>(config_.threads));
    if (const Status status = take_up_checkpoint(); !status.ok()) return status;
    auto log = RunLog::open(folder_, config_.name, step_->steps());
    if (!log.ok()) return Error{log.error()};
    log_ = log.take();
    if (!log_->entries().empty()) earlier_seconds_ = log_->entries().back().seconds;
    start_ = line_start_ = Clock::now();
    if (options_.talk) bar_ = std::make_unique<Progress>("steps", total_steps_);
    return Status::success();
  }

  Status take_up_checkpoint() {
    std::error_code ignored;
    fs::create_directories(folder_, ignored);
    const auto newest = newest_checkpoint(folder_);
    if (!options_.resume) {
      if (!newest) return Status::success();
      return Error{
          fmt::format("{} has a run in it already: go on with --resume, or name another "
                      "folder",
                      folder_.string())};
    }
    if (!newest) return Error{folder_.string() + " has no checkpoint to go on from"};
    const auto& [file, checkpoint] = *newest;
    const std::string* const identity = checkpoint.text("identity");
    const std::string* const steps = checkpoint.text("steps");
    if (identity == nullptr || *identity != identity_)
      return Error{file.string() + ": the checkpoint belongs to a run with another config"};
    const auto number = steps == nullptr ? std::nullopt : parse_integer<std::uint64_t>(*steps);
    const auto model = checkpoint.floats("model"), first = checkpoint.floats("first_moments"),
               second = checkpoint.floats("second_moments");
    const std::size_t size = model_.values.size();
    if (!number || !model || model->size() != size || !first || first->size() != size || !second ||
        second->size() != size)
      return Error{file.string() + ": the checkpoint has other arrays"};
    std::ranges::copy(*model, model_.values.begin());
    std::ranges::copy(*first, step_->first_moments().begin());
    std::ranges::copy(*second, step_->second_moments().begin());
    step_->set_steps(*number);
    return Status::success();
  }

  Status save() {
    CheckpointFile checkpoint;
    checkpoint.set_text("identity", identity_);
    checkpoint.set_text("steps", std::to_string(step_->steps()));
    checkpoint.set_floats("model", model_.values);
    checkpoint.set_floats("first_moments", step_->first_moments());
    checkpoint.set_floats("second_moments", step_->second_moments());
    if (Status status = checkpoint.write(checkpoint_name(folder_, step_->steps())); !status.ok())
      return status;
    remove_old_checkpoints(folder_, kKeptCheckpoints);
    return Status::success();
  }

  // The rows of a step: each epoch has an order of its own.
  std::span<const std::uint32_t> rows_of(std::uint64_t step) {
    const std::uint64_t epoch = step / epoch_steps_;
    if (order_.empty() || epoch != ordered_epoch_) {
      order_ = rows_.train;
      Rng rng(Rng(config_.seed).next() ^ Rng(2 * epoch + 1).next());
      for (std::size_t i = order_.size(); i > 1; --i)
        std::swap(order_[i - 1], order_[rng.below(i)]);
      ordered_epoch_ = epoch;
    }
    const auto batch = static_cast<std::size_t>(config_.batch);
    const std::size_t from = (step % epoch_steps_) * batch;
    return std::span(order_).subspan(from, std::min(batch, order_.size() - from));
  }

  std::uint64_t positions_at(std::uint64_t steps) const {
    const std::uint64_t epochs = steps / epoch_steps_, rest = steps % epoch_steps_;
    return epochs * rows_.train.size() + rest * static_cast<std::uint64_t>(config_.batch);
  }

  Status one_step() {
    const std::uint64_t step = step_->steps();
    const auto rows = rows_of(step);
    rate_ = quantile_rate(config_.rate, step, total_steps_);
    loss_sum_ += step_->train(rows, rate_) * static_cast<double>(rows.size());
    loss_rows_ += rows.size();
    if (bar_) bar_->update(step + 1);
    const auto is_time = [&](int every) {
      return (step + 1) % static_cast<std::uint64_t>(every) == 0;
    };
    if (is_time(config_.log_every))
      if (Status status = write_line(); !status.ok()) return status;
    if (is_time(config_.validate_every))
      if (Status status = validate(); !status.ok()) return status;
    report_.stopped = options_.stop && options_.stop();
    if (report_.stopped || is_time(config_.checkpoint_every)) return save();
    return Status::success();
  }

  LogEntry entry_of(LogEntry::Kind kind) const {
    LogEntry entry;
    entry.kind = kind;
    entry.step = step_->steps();
    entry.samples = positions_at(step_->steps());
    entry.seconds = earlier_seconds_ + seconds_since(start_);
    return entry;
  }

  Status write_line() {
    if (loss_rows_ == 0) return Status::success();
    report_.loss = loss_sum_ / static_cast<double>(loss_rows_);
    LogEntry entry = entry_of(LogEntry::Kind::Train);
    const double speed = static_cast<double>(loss_rows_) / seconds_since(line_start_);
    entry.numbers = {{"loss", report_.loss}, {"rate", rate_}, {"samples_per_second", speed}};
    say(fmt::format("step {:>7}  rate {:.2e}  loss {:.6f}  {}/s", entry.step, rate_, report_.loss,
                    with_thousands(static_cast<std::uint64_t>(speed))));
    loss_sum_ = 0, loss_rows_ = 0, line_start_ = Clock::now();
    return log_->add(entry);
  }

  Status validate() {
    if (report_.validation_loss && validated_step_ == step_->steps()) return Status::success();
    validated_step_ = step_->steps();
    report_.validation_loss = step_->loss(rows_.validation);
    LogEntry entry = entry_of(LogEntry::Kind::Validation);
    entry.numbers = {{"loss", *report_.validation_loss}};
    say(fmt::format("step {:>7}  validation {:.6f}", entry.step, *report_.validation_loss));
    return log_->add(entry);
  }

  void say(const std::string& line) {
    if (bar_) bar_->wipe();
    if (!options_.talk) return;
    fmt::print("{}\n", line);
    std::fflush(stdout);
  }

  Status finish() {
    if (Status status = write_line(); !status.ok()) return status;
    if (Status status = validate(); !status.ok()) return status;
    if (Status status = save(); !status.ok()) return status;
    auto network = std::make_shared<nnue::QuantileNetwork>(rounded_network(model_));
    network->base_sha256 = base_->network().sha256;
    const auto sample = std::span<const std::uint32_t>(rows_.validation)
                            .first(std::min(rows_.validation.size(), kRoundingSample));
    report_.rounding = compare_rounding(model_, network, cache_, sample,
                                        static_cast<std::size_t>(config_.threads));
    if (report_.rounding.mean > QuantileRounding::kLimit)
      return Error{
          fmt::format("the engine's integers differ by {:.4f} in expected score from what "
                      "was learnt, and {} is the limit: no network was written",
                      report_.rounding.mean, QuantileRounding::kLimit)};
    report_.calibration =
        calibrate(network, cache_, rows_.validation, config_.score_unit, baselines_);
    network->card = card();
    const auto written = write_quantile(*network, folder_);
    if (!written.ok()) return Error{written.error()};
    report_.network = written.value();
    return write_calibration();
  }

  Status write_calibration() const {
    const auto write = [&](const char* name, const std::string& text) {
      return write_file(folder_ / name, std::as_bytes(std::span(text)));
    };
    if (Status status = write("calibration.json", calibration_json(report_.calibration));
        !status.ok())
      return status;
    return write("calibration.html",
                 calibration_page(report_.calibration, "Calibration of " + config_.name));
  }

  // Nothing in it depends on the time or on the speed of the machine.
  std::string card() const {
    Json card{{"name", config_.name},
              {"base", base_->network().file_name()},
              {"base_sha256", base_->network().sha256},
              {"aleph", version()},
              {"levels", kLevels},
              {"steps", step_->steps()},
              {"training_rows", rows_.train.size()},
              {"validation_rows", rows_.validation.size()},
              {"validation_loss", *report_.validation_loss}};
    card["rounding"] = {{"positions", report_.rounding.positions},
                        {"mean_expected_score", report_.rounding.mean},
                        {"worst_expected_score", report_.rounding.worst}};
    card["calibration"] = Json::parse(calibration_json(report_.calibration));
    card["data"] = Json::parse(cache_.identity())["data"];
    card["config"] = Json::parse(quantile_config_json(config_));
    for (const char* const key : {"threads", "out", "cache"}) card["config"].erase(key);
    return card.dump(2) + "\n";
  }

  const QuantileConfig& config_;
  const QuantileRunOptions& options_;
  fs::path folder_;
  std::shared_ptr<const nnue::Model> base_;
  FeatureCache cache_;
  std::string identity_;
  SplitRows rows_;
  std::array<QuantileBaseline, kBaselines> baselines_;
  QuantileModel model_;
  std::unique_ptr<QuantileStep> step_;
  std::unique_ptr<RunLog> log_;
  std::unique_ptr<Progress> bar_;
  QuantileReport report_;
  std::uint64_t epoch_steps_ = 0, total_steps_ = 0, ordered_epoch_ = 0, validated_step_ = 0;
  std::vector<std::uint32_t> order_;
  Clock::time_point start_, line_start_;
  double rate_ = 0, loss_sum_ = 0, earlier_seconds_ = 0;
  std::uint64_t loss_rows_ = 0;
};

}  // namespace

Result<QuantileReport> run_quantile_training(const QuantileConfig& config,
                                             const QuantileRunOptions& options) {
  auto base = load_base(config.base);
  if (!base.ok()) return Error{base.error()};
  auto cache = cached_features({config.data, config.target, config.skip_checks}, base.value(),
                               cache_file(config), options.talk);
  if (!cache.ok()) return Error{cache.error()};
  Trainer trainer(config, options, base.value(), cache.take());
  return trainer.run();
}

}  // namespace aleph::train
