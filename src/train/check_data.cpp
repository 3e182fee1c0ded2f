#include "train/check_data.h"

#include <fmt/format.h>

#include <string>

namespace aleph::train {
namespace {

// The splits of a dataset, for people.
std::string names_of(const data::Dataset& dataset) {
  std::string names;
  for (const data::DatasetSplit& split : dataset.splits)
    names += (names.empty() ? "" : ", ") + split.name;
  return names.empty() ? "none" : names;
}

Status check_split(const std::string& key, const std::string& name, const data::Dataset& dataset) {
  const data::DatasetSplit* const split = dataset.find(name);
  if (split == nullptr)
    return Error{fmt::format("{} is {}, but the splits of {} are: {}", key, name,
                             dataset.path.string(), names_of(dataset))};
  if (split->rows() == 0)
    return Error{
        fmt::format("{} is {}, which has no rows in {}", key, name, dataset.path.string())};
  return Status::success();
}

}  // namespace

Status check_data(const TrainConfig& config, const data::Dataset& dataset) {
  if (Status status = check_split(config.data.train_key, config.data.train, dataset); !status.ok())
    return status;
  if (Status status = check_split(config.data.validation_key, config.data.validation, dataset);
      !status.ok())
    return status;
  for (const LossTerm& term : config.losses) {
    const bool needs_human = term.kind == LossKind::ThinkTime;
    const bool needs_score = term.kind == LossKind::Pinball;
    if ((needs_human && dataset.schema != data::Schema::Human) ||
        (needs_score && dataset.schema != data::Schema::Score))
      return Error{fmt::format("{} is of schema {}, but the loss {} needs {}",
                               config.data.dataset_key, data::to_text(dataset.schema),
                               to_text(term.kind), needs_human ? "human" : "score")};
  }
  return Status::success();
}

}  // namespace aleph::train
