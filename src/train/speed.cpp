#include "train/speed.h"

#include <algorithm>
#include <chrono>

#include "train/learner.h"
#include "train/random_samples.h"

namespace aleph::train {

std::vector<LossTerm> usual_losses(const nets::NetSpec& spec) {
  using nets::HeadKind;
  std::vector<LossTerm> losses;
  for (const nets::HeadSpec& head : spec.heads) switch (head.kind) {
      case HeadKind::FromTo: losses.push_back({.kind = LossKind::FromTo, .smoothing = 0.1}); break;
      case HeadKind::Move4096:
      case HeadKind::Attention4096:
      case HeadKind::Policy1858:
      case HeadKind::Policy4352: losses.push_back({.kind = LossKind::LegalPolicy}); break;
      case HeadKind::Promotion4: losses.push_back({.kind = LossKind::Promotion}); break;
      case HeadKind::Value: losses.push_back({.kind = LossKind::Value}); break;
      case HeadKind::Wdl: losses.push_back({.kind = LossKind::Result}); break;
      case HeadKind::ThinkTime: losses.push_back({.kind = LossKind::ThinkTime}); break;
      case HeadKind::MovesLeft: break;
    }
  return losses;
}

Result<TrainingSpeed> measure_training(TrainConfig config, std::size_t steps) {
  using Clock = std::chrono::steady_clock;
  if (config.losses.empty()) config.losses = usual_losses(config.model);
  Result<std::unique_ptr<Learner>> learner = Learner::make(config, steps + 1);
  if (!learner.ok()) return Error{learner.error()};
  const Result<Samples> samples = random_samples(config.model, config.batch, 1);
  if (!samples.ok()) return Error{samples.error()};
  TrainingSpeed speed{.device = learner.value()->device()};
  for (std::size_t i = 0; i <= steps; ++i) {
    const Clock::time_point start = Clock::now();
    if (const auto result = learner.value()->step(samples.value()); !result.ok())
      return Error{result.error()};
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    if (i > 0)
      speed.samples_per_second =
          std::max(speed.samples_per_second, static_cast<double>(config.batch) / elapsed.count());
  }
  return speed;
}

}  // namespace aleph::train
