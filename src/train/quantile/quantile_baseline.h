// What quantile layers must beat: the base's value with margins that know nothing of the position,
// or its bucket, or its bucket and phase. Margins are fitted to the same loss on the rows that the
// network learns from.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "train/quantile/feature_cache.h"
#include "train/quantile/quantile_step.h"

namespace aleph::train {

inline constexpr std::size_t kBaselines = 3;

struct QuantileBaseline {
  std::size_t kind = 0;            // 0 constant, 1 by bucket, 2 by bucket and phase
  std::vector<RowLogits> margins;  // in logits, of each cell; they never fall

  std::string_view name() const;
  const RowLogits& of(const CachedRow& row) const;
};

// All three. A cell with few rows takes the margins of the coarser baseline.
std::array<QuantileBaseline, kBaselines> fit_baselines(const FeatureCache& cache,
                                                       std::span<const std::uint32_t> rows,
                                                       double score_unit);

// Mean pinball loss over rows, as QuantileStep counts it.
double baseline_loss(const QuantileBaseline& baseline, const FeatureCache& cache,
                     std::span<const std::uint32_t> rows, double score_unit);

// The logits of the by-bucket baseline: where a network begins.
QuantileModel::BucketLogits bucket_margins(
    const std::array<QuantileBaseline, kBaselines>& baselines);

}  // namespace aleph::train
