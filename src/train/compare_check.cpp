#include <fmt/format.h>

#include <string>

#include "train/compare.h"

namespace aleph::train {
namespace {

// What differs between two configs that should agree in everything but the network; empty: nothing.
std::string difference(const TrainConfig& a, const TrainConfig& b) {
  if (a.data.dataset != b.data.dataset) return "data.dataset";
  if (a.data.train != b.data.train) return "data.train";
  if (a.data.validation != b.data.validation) return "data.validation";
  if (a.data.validation_rows != b.data.validation_rows) return "data.validation_rows";
  if (a.data.shuffle != b.data.shuffle) return "data.shuffle";
  if (a.steps != b.steps) return "steps";
  if (a.epochs != b.epochs) return "epochs";
  if (a.batch != b.batch) return "batch";
  if (a.seed != b.seed) return "seed";
  if (a.optimizer.kind != b.optimizer.kind) return "optimizer.kind";
  if (a.optimizer.beta1 != b.optimizer.beta1) return "optimizer.beta1";
  if (a.optimizer.beta2 != b.optimizer.beta2) return "optimizer.beta2";
  if (a.optimizer.epsilon != b.optimizer.epsilon) return "optimizer.epsilon";
  if (a.optimizer.weight_decay != b.optimizer.weight_decay) return "optimizer.weight_decay";
  if (a.optimizer.clip != b.optimizer.clip) return "optimizer.clip";
  if (a.schedule.kind != b.schedule.kind) return "schedule.kind";
  if (a.validate_every != b.validate_every) return "validate_every";
  return "";
}

}  // namespace

Status check_comparable(const std::vector<TrainConfig>& configs) {
  if (configs.size() < 2) return Error{"a comparison needs two configs at least"};
  for (std::size_t i = 1; i < configs.size(); ++i) {
    const std::string what = difference(configs[0], configs[i]);
    if (!what.empty())
      return Error{fmt::format("{} and {} cannot be compared: {} differs", configs[0].name,
                               configs[i].name, what)};
    for (std::size_t j = 0; j < i; ++j)
      if (configs[i].name == configs[j].name)
        return Error{
            fmt::format("two configs have the name {}: give them different ones", configs[i].name)};
  }
  return Status::success();
}

}  // namespace aleph::train
