#include "train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/overloaded.h"

namespace aleph::train {
namespace {

double cosine(const ScheduleConfig& schedule, double step, double steps) {
  const double warmup = static_cast<double>(schedule.warmup);
  const double done = steps > warmup ? std::min(1.0, (step - warmup) / (steps - warmup)) : 1.0;
  const double share = (1 + std::cos(std::numbers::pi * done)) / 2;  // from 1 to 0
  return schedule.rate * (schedule.final_share + (1 - schedule.final_share) * share);
}

double vaswani(const ScheduleConfig& schedule, int trunk_width, double step) {
  const double width = schedule.width > 0 ? schedule.width : trunk_width;
  const double fading = std::pow(step, -0.5);
  const double rising =
      schedule.warmup > 0 ? step * std::pow(static_cast<double>(schedule.warmup), -1.5) : fading;
  return schedule.rate * std::pow(width, -0.5) * std::min(fading, rising);
}

}  // namespace

int width_of_trunk(const nets::NetSpec& spec) {
  return std::visit(Overloaded{
                        [](const nets::ResnetSpec& trunk) { return trunk.channels; },
                        [](const nets::TransformerSpec& trunk) { return trunk.width; },
                    },
                    spec.trunk);
}

double learning_rate(const ScheduleConfig& schedule, int trunk_width, std::uint64_t step,
                     std::uint64_t steps) {
  step = std::max<std::uint64_t>(step, 1);
  const double now = static_cast<double>(step);
  if (schedule.kind == ScheduleConfig::Kind::Vaswani) return vaswani(schedule, trunk_width, now);
  if (step < schedule.warmup) return schedule.rate * now / static_cast<double>(schedule.warmup);
  if (schedule.kind == ScheduleConfig::Kind::Constant) return schedule.rate;
  return cosine(schedule, now, static_cast<double>(steps));
}

}  // namespace aleph::train
