#include "train/nnue/nnue_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>
#include <vector>

#include "base/cpu.h"
#include "base/progress.h"
#include "base/write_file.h"
#include "nnue/net_store.h"
#include "train/nnue/nnue_checkpoint.h"
#include "train/nnue/nnue_loader.h"
#include "train/nnue/nnue_log.h"
#include "train/nnue/nnue_model.h"
#include "train/nnue/nnue_step.h"

namespace aleph::train {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr std::size_t kRoundingSample = 10'000;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Without what changes nothing about the numbers.
std::string identity_of(const NnueConfig& config) {
  Json json = Json::parse(nnue_config_json(config));
  for (const char* const key : {"threads", "out", "validate_every", "checkpoint_every", "name"})
    json.erase(key);
  return json.dump();
}

StepSettings step_settings(const NnueConfig& config) {
  return {config.loss_power,    config.score_scale,
          config.factorised,    config.whole_activations,
          config.whole_weights, static_cast<float>(config.transformer_limit)};
}

Result<NnueModel> first_model(const NnueConfig& config) {
  const auto width = static_cast<std::size_t>(config.width);
  if (config.start.empty()) return NnueModel::random(width, config.seed);
  const auto source = nnue::find_network(config.start, nnue::NetworkPlaces::of_this_machine());
  if (!source.ok()) return Error{source.error()};
  const auto network = nnue::load_network(source.value());
  if (!network.ok()) return Error{network.error()};
  if (network.value().architecture.width != config.width)
    return Error{fmt::format("{} is {} wide, and the config asks for {}", config.start,
                             network.value().architecture.width, config.width)};
  return model_of(network.value());
}

class Trainer {
 public:
  Trainer(const NnueConfig& config, const NnueRunOptions& options, NnueModel model)
      : config_(config),
        options_(options),
        folder_(config.out),
        identity_(identity_of(config)),
        model_(std::move(model)),
        step_(model_, step_settings(config), static_cast<std::size_t>(config.threads)) {}

  Result<NnueReport> run() {
    if (const Status status = begin(); !status.ok()) return Error{status.error()};
    for (; !over() && !report_.stopped; ++progress_.epoch, progress_.rows_given = 0)
      if (const Status status = run_epoch(); !status.ok()) return Error{status.error()};
    bar_.reset();
    if (report_.stopped) return report_;
    if (const Status status = finish(); !status.ok()) return Error{status.error()};
    return report_;
  }

 private:
  bool over() const {
    return progress_.epoch >= static_cast<std::uint64_t>(config_.epochs) ||
           (config_.steps > 0 && progress_.steps >= config_.steps);
  }

  Status begin() {
    if (options_.resume) {
      const auto loaded = load_checkpoint(folder_ / "checkpoint.bin", identity_, arrays());
      if (!loaded.ok()) return Error{loaded.error()};
      progress_ = loaded.value();
      step_.set_steps(progress_.steps);
    }
    auto log = NnueLog::open(folder_, progress_.steps);
    if (!log.ok()) return Error{log.error()};
    log_ = std::make_unique<NnueLog>(log.take());
    if (const Status status = load_validation(); !status.ok()) return status;
    start_ = line_start_ = Clock::now();
    return Status::success();
  }

  FloatArrays arrays() {
    FloatArrays all = model_.arrays();
    const FloatArrays moments = step_.arrays();
    all.insert(all.end(), moments.begin(), moments.end());
    return all;
  }

  Status load_validation() {
    if (config_.validation.folder.empty()) return Status::success();
    auto opened = NnueLoader::open(config_, config_.validation, false, 0, 0);
    if (!opened.ok()) return Error{opened.error()};
    NnueLoader loader = opened.take();
    std::uint64_t positions = 0;
    while (config_.validation.positions == 0 || positions < config_.validation.positions) {
      auto loaded = loader.next();
      if (!loaded.ok()) return Error{loaded.error()};
      LoadedBatch batch = loaded.take();
      if (batch.batch.positions() == 0) break;
      positions += batch.batch.positions();
      validation_.push_back(std::move(batch.batch));
    }
    return Status::success();
  }

  Status run_epoch() {
    auto opened =
        NnueLoader::open(config_, config_.data, true, progress_.epoch, progress_.rows_given);
    if (!opened.ok()) return Error{opened.error()};
    NnueLoader loader = opened.take();
    if (options_.talk && !bar_)
      bar_ = std::make_unique<Progress>("rows",
                                        loader.rows() * static_cast<std::uint64_t>(config_.epochs));
    while (!report_.stopped && (config_.steps == 0 || progress_.steps < config_.steps)) {
      auto loaded = loader.next();
      if (!loaded.ok()) return Error{loaded.error()};
      const LoadedBatch batch = loaded.take();
      if (batch.batch.positions() == 0) break;
      if (const Status status = learn(batch, loader.rows()); !status.ok()) return status;
    }
    return Status::success();
  }

  Status learn(const LoadedBatch& loaded, std::uint64_t epoch_rows) {
    const auto rows = static_cast<double>(epoch_rows);
    const double done = config_.steps > 0 ? static_cast<double>(progress_.steps) /
                                                static_cast<double>(config_.steps)
                                          : (static_cast<double>(progress_.epoch) * rows +
                                             static_cast<double>(progress_.rows_given)) /
                                                (static_cast<double>(config_.epochs) * rows);
    rate_ = nnue_rate(config_.rate, progress_.steps, done);
    const auto positions = loaded.batch.positions();
    loss_sum_ += step_.train(loaded.batch, rate_) * static_cast<double>(positions);
    loss_positions_ += positions;
    progress_.positions += positions;
    progress_.rows_given = loaded.rows_given;
    ++progress_.steps;
    if (bar_) bar_->update(progress_.epoch * epoch_rows + progress_.rows_given);
    return after_step();
  }

  Status after_step() {
    const auto is_time = [&](int every) {
      return progress_.steps % static_cast<std::uint64_t>(every) == 0;
    };
    if (is_time(config_.validate_every))
      if (const Status status = write_line(); !status.ok()) return status;
    report_.stopped = options_.stop && options_.stop();
    if (report_.stopped || is_time(config_.checkpoint_every)) return save();
    return Status::success();
  }

  double validation_loss() {
    double sum = 0, positions = 0;
    for (const SparseBatch& batch : validation_) {
      const auto count = static_cast<double>(batch.positions());
      sum += step_.loss(batch) * count;
      positions += count;
    }
    return sum / positions;
  }

  Status write_line() {
    if (loss_positions_ == 0) return Status::success();
    const double seconds = seconds_since(line_start_);
    NnueLogLine line{progress_.steps, progress_.epoch, progress_.positions, rate_, 0, {}, 0, 0};
    line.loss = loss_sum_ / static_cast<double>(loss_positions_);
    line.positions_per_second = static_cast<double>(loss_positions_) / seconds;
    if (!validation_.empty()) line.validation_loss = validation_loss();
    line.seconds = seconds_since(start_);
    report_.loss = line.loss;
    report_.validation_loss = line.validation_loss;
    loss_sum_ = 0, loss_positions_ = 0, line_start_ = Clock::now();
    if (bar_) bar_->wipe();
    if (options_.talk) {
      fmt::print(
          "step {:>7}  rate {:.2e}  loss {:.6f}{}  {}/s\n", line.step, line.rate, line.loss,
          line.validation_loss ? fmt::format("  validation {:.6f}", *line.validation_loss) : "",
          with_thousands(static_cast<std::uint64_t>(line.positions_per_second)));
      std::fflush(stdout);
    }
    return log_->add(line);
  }

  nnue::Network network() const { return quantised(model_, config_.name + ", trained by Aleph"); }

  Status save() {
    const Status saved =
        save_checkpoint(folder_ / "checkpoint.bin", identity_, progress_, arrays());
    if (!saved.ok()) return saved;
    const auto written = write_trained(network(), folder_, "latest.nnue");
    return written.ok() ? Status::success() : Error{written.error()};
  }

  Status finish() {
    if (const Status status = write_line(); !status.ok()) return status;
    if (const Status status = save(); !status.ok()) return status;
    const auto& source = config_.validation.folder.empty() ? config_.data : config_.validation;
    const auto sample = sample_positions(source, kRoundingSample);
    if (!sample.ok()) return Error{sample.error()};
    nnue::Network made = calibrated(step_, network(), sample.value());
    const auto written = write_trained(made, folder_);
    if (!written.ok()) return Error{written.error()};
    report_.network = written.value();
    report_.steps = progress_.steps;
    report_.positions = progress_.positions;
    report_.seconds = seconds_since(start_);
    report_.rounding = compare_rounding(step_, std::move(made), sample.value());
    return write_card();
  }

  Status write_card() const {
    Json card{{"name", config_.name},
              {"network", report_.network.filename().string()},
              {"steps", report_.steps},
              {"positions", report_.positions},
              {"loss", report_.loss}};
    if (report_.validation_loss) card["validation_loss"] = *report_.validation_loss;
    card["rounding"] = {{"positions", report_.rounding.positions},
                        {"mean_units", report_.rounding.mean},
                        {"worst_units", report_.rounding.worst},
                        {"bias_units", report_.rounding.bias}};
    card["seconds_of_last_process"] = report_.seconds;
    card["processor"] = processor_name();
    card["config"] = Json::parse(nnue_config_json(config_));
    const std::string text = card.dump(2) + "\n";
    return write_file(std::filesystem::path(report_.network).replace_extension(".json"),
                      std::as_bytes(std::span(text)));
  }

  const NnueConfig& config_;
  const NnueRunOptions& options_;
  std::filesystem::path folder_;
  std::string identity_;
  NnueModel model_;
  NnueStep step_;
  NnueProgress progress_;
  std::unique_ptr<NnueLog> log_;
  std::unique_ptr<Progress> bar_;
  std::vector<SparseBatch> validation_;
  NnueReport report_;
  Clock::time_point start_, line_start_;
  double rate_ = 0, loss_sum_ = 0;
  std::uint64_t loss_positions_ = 0;
};

}  // namespace

double nnue_rate(const NnueConfig::Rate& rate, std::uint64_t step, double done) {
  const auto warmup = static_cast<std::uint64_t>(rate.warmup);
  const double at = std::clamp(done, 0.0, 1.0);
  double value = rate.peak * std::pow(rate.final / rate.peak, at);
  if (rate.schedule == "cosine")
    value = rate.final + (rate.peak - rate.final) * 0.5 * (1 + std::cos(std::numbers::pi * at));
  if (step < warmup) value *= static_cast<double>(step + 1) / static_cast<double>(warmup);
  return value;
}

Result<NnueReport> run_nnue_training(const NnueConfig& config, const NnueRunOptions& options) {
  auto model = first_model(config);
  if (!model.ok()) return Error{model.error()};
  Trainer trainer(config, options, model.take());
  return trainer.run();
}

}  // namespace aleph::train
