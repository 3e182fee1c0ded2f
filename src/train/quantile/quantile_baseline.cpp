#include "train/quantile/quantile_baseline.h"

#include <algorithm>
#include <cmath>

#include "train/quantile/quantile_kernels.h"

namespace aleph::train {
namespace {

constexpr std::size_t kMostSamples = 20'000, kFewSamples = 300;

struct Sample {
  double base, target;    // logits
  double expected_score;  // of the target
};

std::size_t cells_of(std::size_t kind) {
  return kind == 0 ? 1 : kind == 1 ? nnue::kBuckets : nnue::kBuckets * kPhases;
}

std::size_t cell_of(std::size_t kind, const CachedRow& row) {
  if (kind == 0) return 0;
  return kind == 1 ? row.bucket : std::size_t{row.bucket} * kPhases + row.phase;
}

double loss_of(const std::vector<Sample>& samples, double margin, double level) {
  double loss = 0;
  for (const Sample& sample : samples) {
    const double value = sample.base + margin;
    const double slope = sample.target < value ? 1 - level : -level;
    loss += slope * (1 / (1 + std::exp(-value)) - sample.expected_score);
  }
  return loss;
}

// The plain quantile of the differences would have the right coverage, but another margin has less
// loss in expected score: it is searched for nearby (golden section).
double best_margin(const std::vector<Sample>& samples, const std::vector<double>& sorted,
                   double level) {
  const auto at = [&](double share) {
    const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    return sorted[static_cast<std::size_t>(place)];
  };
  constexpr double kGolden = 0.6180339887498949;
  double low = at(level - 0.15), high = at(level + 0.15);
  double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
  double left_loss = loss_of(samples, left, level), right_loss = loss_of(samples, right, level);
  for (int i = 0; i < 25; ++i) {
    if (left_loss < right_loss) {
      high = right, right = left, right_loss = left_loss;
      left = high - kGolden * (high - low);
      left_loss = loss_of(samples, left, level);
    } else {
      low = left, left = right, left_loss = right_loss;
      right = low + kGolden * (high - low);
      right_loss = loss_of(samples, right, level);
    }
  }
  return (low + high) / 2;
}

RowLogits best_margins(const std::vector<Sample>& samples) {
  std::vector<double> differences;
  for (const Sample& sample : samples) differences.push_back(sample.target - sample.base);
  std::ranges::sort(differences);
  RowLogits margins{};
  for (std::size_t k = 0; k < margins.size(); ++k) {
    margins[k] = best_margin(samples, differences, kLevels[k]);
    if (k > 0) margins[k] = std::max(margins[k], margins[k - 1]);
  }
  return margins;
}

double base_logit(const CachedRow& row) {
  return static_cast<double>(row.base_units()) / nnue::kQuantileScale;
}

// Samples of each cell, evenly from all of its rows.
std::vector<std::vector<Sample>> samples_of(std::size_t kind, const FeatureCache& cache,
                                            std::span<const std::uint32_t> rows, double unit) {
  std::vector<std::size_t> counts(cells_of(kind)), seen(cells_of(kind));
  for (const std::uint32_t row : rows) ++counts[cell_of(kind, cache.row(row))];
  std::vector<std::vector<Sample>> samples(cells_of(kind));
  const std::size_t wanted = std::max<std::size_t>(1, kMostSamples / cache.scores_per_row());
  for (const std::uint32_t row : rows) {
    const std::size_t cell = cell_of(kind, cache.row(row));
    const std::size_t stride = std::max<std::size_t>(1, counts[cell] / wanted);
    if (seen[cell]++ % stride != 0) continue;
    for (const std::int16_t score : cache.scores(row)) {
      const double target = target_logit(score, unit);
      samples[cell].push_back({base_logit(cache.row(row)), target, 1 / (1 + std::exp(-target))});
    }
  }
  return samples;
}

}  // namespace

std::string_view QuantileBaseline::name() const {
  constexpr std::array<std::string_view, kBaselines> kNames{"constant margin", "margin by bucket",
                                                            "margin by bucket and phase"};
  return kNames[kind];
}

const RowLogits& QuantileBaseline::of(const CachedRow& row) const {
  return margins[cell_of(kind, row)];
}

std::array<QuantileBaseline, kBaselines> fit_baselines(const FeatureCache& cache,
                                                       std::span<const std::uint32_t> rows,
                                                       double score_unit) {
  std::array<QuantileBaseline, kBaselines> baselines;
  for (std::size_t kind = 0; kind < kBaselines; ++kind) {
    baselines[kind].kind = kind;
    const auto samples = samples_of(kind, cache, rows, score_unit);
    for (std::size_t cell = 0; cell < samples.size(); ++cell) {
      const bool few = samples[cell].size() < (kind == 0 ? 1 : kFewSamples);
      const std::size_t coarser = kind == 2 ? cell / kPhases : 0;
      baselines[kind].margins.push_back(!few        ? best_margins(samples[cell])
                                        : kind == 0 ? RowLogits{}
                                                    : baselines[kind - 1].margins[coarser]);
    }
  }
  return baselines;
}

double baseline_loss(const QuantileBaseline& baseline, const FeatureCache& cache,
                     std::span<const std::uint32_t> rows, double score_unit) {
  double loss = 0;
  RowLogits ignored;
  std::vector<double> targets(cache.scores_per_row());
  for (const std::uint32_t row : rows) {
    const auto scores = cache.scores(row);
    for (std::size_t s = 0; s < scores.size(); ++s)
      targets[s] = target_logit(scores[s], score_unit);
    loss += pinball_loss(base_logit(cache.row(row)), baseline.of(cache.row(row)), targets, ignored);
  }
  return rows.empty() ? 0 : loss / static_cast<double>(rows.size());
}

QuantileModel::BucketLogits bucket_margins(
    const std::array<QuantileBaseline, kBaselines>& baselines) {
  QuantileModel::BucketLogits logits{};
  for (std::size_t b = 0; b < logits.size(); ++b) logits[b] = baselines[1].margins[b];
  return logits;
}

}  // namespace aleph::train
