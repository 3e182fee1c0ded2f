// How honest quantiles are: how often the deep score was below each, and how wide the band is.
// Asked of the integers that the engine plays with.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nnue/quantile/quantile_network.h"
#include "train/quantile/feature_cache.h"
#include "train/quantile/quantile_baseline.h"

namespace aleph::train {

// Some positions together.
struct CalibrationCell {
  std::uint64_t positions = 0, samples = 0;  // a position has a sample for each of its targets
  std::array<std::uint64_t, nnue::kQuantiles> below{};  // samples not above the quantile
  double band80 = 0, band50 = 0, loss = 0;              // sums over positions

  double coverage(std::size_t k) const;  // the share of samples not above quantile k
  double worst_miss() const;             // |coverage - level|, of the worst quantile
  // Means in expected score: q90 - q10, q75 - q25.
  double mean_band80() const { return positions == 0 ? 0 : band80 / count(); }
  double mean_band50() const { return positions == 0 ? 0 : band50 / count(); }
  double mean_loss() const { return positions == 0 ? 0 : loss / count(); }

 private:
  double count() const { return static_cast<double>(positions); }
};

struct CalibrationGroup {
  std::string kind, name;  // "bucket", "3"
  CalibrationCell cell;
};

struct CalibrationReport {
  std::vector<CalibrationGroup> groups;  // the first is of all positions; empty ones are left out
  std::uint64_t crossings = 0;           // positions at which a quantile is below the one before it
  std::array<double, kBaselines> baseline_losses{};
  std::array<std::string, kBaselines> baseline_names;

  const CalibrationCell& all() const { return groups.front().cell; }
  // The share by which the loss is below that of the best baseline.
  double gain() const;
};

// The rows are those that are judged; the baselines were fitted on others.
CalibrationReport calibrate(const std::shared_ptr<const nnue::QuantileNetwork>& network,
                            const FeatureCache& cache, std::span<const std::uint32_t> rows,
                            double score_unit,
                            const std::array<QuantileBaseline, kBaselines>& baselines);

// As text for a terminal, as JSON, and as a page with a reliability plot.
std::string calibration_text(const CalibrationReport& report);
std::string calibration_json(const CalibrationReport& report);
std::string calibration_page(const CalibrationReport& report, const std::string& title);

}  // namespace aleph::train
