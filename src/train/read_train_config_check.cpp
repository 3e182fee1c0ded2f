#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "nets/encode/move_map.h"
#include "train/check_train_config.h"

namespace aleph::train {
namespace {

using nets::HeadKind;

bool has_head(const nets::NetSpec& model, HeadKind kind) {
  return std::ranges::any_of(model.heads, [&](const auto& head) { return head.kind == kind; });
}

bool has_policy(const nets::NetSpec& model) {
  return std::ranges::any_of(model.heads,
                             [](const auto& head) { return nets::is_policy(head.kind); });
}

// What a term misses in the network; empty: nothing.
std::string missing_head(LossKind kind, const nets::NetSpec& model) {
  switch (kind) {
    case LossKind::FromTo: return has_head(model, HeadKind::FromTo) ? "" : "a head fromto";
    case LossKind::LegalPolicy:
    case LossKind::DistilPolicy: return has_policy(model) ? "" : "a head that answers moves";
    case LossKind::Policy:
      if (!has_policy(model)) return "a head that answers moves";
      return has_head(model, HeadKind::FromTo) ? "a head with a number for each move (not fromto)"
                                               : "";
    case LossKind::Promotion:
      return has_head(model, HeadKind::Promotion4) ? "" : "a head promotion4";
    case LossKind::Value: return has_head(model, HeadKind::Value) ? "" : "a head value";
    case LossKind::Result: return has_head(model, HeadKind::Wdl) ? "" : "a head result";
    case LossKind::ThinkTime:
      return has_head(model, HeadKind::ThinkTime) ? "" : "a head think_time";
    case LossKind::DistilValue:
      return has_head(model, HeadKind::Value) || has_head(model, HeadKind::Wdl)
                 ? ""
                 : "a head value or result";
    // No head of this version answers quantiles.
    case LossKind::Pinball: return "a head that answers quantiles";
  }
  return "";
}

bool takes_smoothing(LossKind kind) {
  return kind == LossKind::FromTo || kind == LossKind::LegalPolicy || kind == LossKind::Policy;
}

bool is_distilling(LossKind kind) {
  return kind == LossKind::DistilPolicy || kind == LossKind::DistilValue;
}

}  // namespace

void check_losses(ConfigMap& top, const TrainConfig& config) {
  std::vector<ConfigMap> maps = top.list("losses");
  bool distils = false;
  for (std::size_t i = 0; i < config.losses.size(); ++i) {
    const LossTerm& term = config.losses[i];
    const std::string missing = missing_head(term.kind, config.model);
    if (!missing.empty())
      maps[i].refuse("kind", fmt::format("is {}, which needs {}, and {} has none",
                                         to_text(term.kind), missing, config.model_file.string()));
    if (maps[i].has("smoothing") && !takes_smoothing(term.kind))
      maps[i].refuse("smoothing", fmt::format("does not go with {}", to_text(term.kind)));
    if (maps[i].has("temperature") && term.kind != LossKind::DistilPolicy)
      maps[i].refuse("temperature", fmt::format("does not go with {}", to_text(term.kind)));
    if (is_distilling(term.kind) && !config.teacher)
      maps[i].refuse("kind", fmt::format("is {}, which needs a teacher", to_text(term.kind)));
    distils = distils || is_distilling(term.kind);
    for (std::size_t j = 0; j < i; ++j)
      if (config.losses[j].kind == term.kind)
        maps[i].refuse("kind", fmt::format("is {} once more", to_text(term.kind)));
    top.take_problem(maps[i]);
  }
  if (config.teacher && !distils)
    top.refuse("teacher", "is of no use: no loss learns from it (distil_policy, distil_value)");
}

}  // namespace aleph::train
