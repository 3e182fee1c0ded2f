#include "train/quantile/calibration.h"

#include <algorithm>
#include <cmath>

#include "nnue/quantile/quantile_forward.h"
#include "train/quantile/quantile_kernels.h"

namespace aleph::train {
namespace {

using nnue::kQuantiles;

constexpr std::size_t kPhasesFrom = 1 + nnue::kBuckets;
constexpr std::size_t kSourcesFrom = kPhasesFrom + kPhases, kKindsFrom = kSourcesFrom + 2;
constexpr std::size_t kChecks = kKindsFrom + 2, kGroups = kChecks + 1;

double expected_score(double units) { return 1 / (1 + std::exp(-units / nnue::kQuantileScale)); }

std::vector<CalibrationGroup> empty_groups() {
  std::vector<CalibrationGroup> groups{{"all", "", {}}};
  for (int b = 0; b < nnue::kBuckets; ++b) groups.push_back({"bucket", std::to_string(b), {}});
  for (int p = 0; p < kPhases; ++p) groups.push_back({"phase", quantile_phase_name(p), {}});
  for (const char* const name : {"game", "search"}) groups.push_back({"source", name, {}});
  for (const char* const name : {"quiet", "tactical", "in check"})
    groups.push_back({"kind", name, {}});
  return groups;
}

// The groups that a row belongs to.
std::vector<std::size_t> groups_of(const CachedRow& row) {
  std::vector<std::size_t> groups{0, std::size_t{1} + row.bucket, kPhasesFrom + row.phase,
                                  kSourcesFrom + (row.has(CachedRow::kInSearch) ? 1 : 0)};
  // Without a move nobody knows whether a position is quiet.
  if (row.is_tactical())
    groups.push_back(kKindsFrom + 1);
  else if (row.has(CachedRow::kHasMove))
    groups.push_back(kKindsFrom);
  if (row.has(CachedRow::kInCheck)) groups.push_back(kChecks);
  return groups;
}

// One position: its quantiles, in internal units, against its targets.
struct Judgement {
  std::array<std::uint64_t, kQuantiles> below{};
  std::size_t samples = 0;
  double band80 = 0, band50 = 0, loss = 0;
  bool crosses = false;
};
Judgement judge(const std::array<int, kQuantiles>& units, std::span<const double> targets) {
  Judgement judgement;
  judgement.samples = targets.size();
  RowLogits logits{}, ignored;
  for (std::size_t k = 0; k < kQuantiles; ++k) {
    logits[k] = static_cast<double>(units[k]) / nnue::kQuantileScale;
    judgement.crosses = judgement.crosses || (k > 0 && units[k] < units[k - 1]);
    for (const double target : targets) judgement.below[k] += target <= logits[k] ? 1 : 0;
  }
  judgement.band80 = expected_score(units[4]) - expected_score(units[0]);
  judgement.band50 = expected_score(units[3]) - expected_score(units[1]);
  judgement.loss = pinball_loss(0, logits, targets, ignored);
  return judgement;
}

void add(CalibrationCell& cell, const Judgement& judgement) {
  ++cell.positions;
  cell.samples += judgement.samples;
  for (std::size_t k = 0; k < kQuantiles; ++k) cell.below[k] += judgement.below[k];
  cell.band80 += judgement.band80;
  cell.band50 += judgement.band50;
  cell.loss += judgement.loss;
}

}  // namespace

double CalibrationCell::coverage(std::size_t k) const {
  return samples == 0 ? 0 : static_cast<double>(below[k]) / static_cast<double>(samples);
}

double CalibrationCell::worst_miss() const {
  double worst = 0;
  for (std::size_t k = 0; k < below.size(); ++k)
    worst = std::max(worst, std::abs(coverage(k) - kLevels[k]));
  return worst;
}

double CalibrationReport::gain() const {
  const double best = *std::ranges::min_element(baseline_losses);
  return best > 0 ? 1 - all().mean_loss() / best : 0;
}

CalibrationReport calibrate(const std::shared_ptr<const nnue::QuantileNetwork>& network,
                            const FeatureCache& cache, std::span<const std::uint32_t> rows,
                            double score_unit,
                            const std::array<QuantileBaseline, kBaselines>& baselines) {
  CalibrationReport report;
  report.groups = empty_groups();
  const nnue::QuantileForward forward(network);
  const auto features = std::make_unique<nnue::TransformedFeatures>();
  std::vector<double> targets(cache.scores_per_row());
  for (const std::uint32_t row : rows) {
    const CachedRow& facts = cache.row(row);
    cache.unpack(row, *features);
    const nnue::QuantileLogits logits = forward.logits(facts.bucket, *features);
    std::array<int, kQuantiles> units{};
    for (std::size_t k = 0; k < kQuantiles; ++k)
      units[k] = nnue::quantile_units(facts.base_units(), logits[k]);
    const auto scores = cache.scores(row);
    for (std::size_t s = 0; s < scores.size(); ++s)
      targets[s] = target_logit(scores[s], score_unit);
    const Judgement judgement = judge(units, targets);
    report.crossings += judgement.crosses ? 1 : 0;
    for (const std::size_t group : groups_of(facts)) add(report.groups[group].cell, judgement);
  }
  for (std::size_t i = 0; i < kBaselines; ++i) {
    report.baseline_losses[i] = baseline_loss(baselines[i], cache, rows, score_unit);
    report.baseline_names[i] = baselines[i].name();
  }
  const auto is_empty = [](const CalibrationGroup& group) {
    return group.kind != "all" && group.cell.positions == 0;
  };
  std::erase_if(report.groups, is_empty);
  return report;
}

}  // namespace aleph::train
