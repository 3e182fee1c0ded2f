// The same layers and the same loss in libtorch: an independent opinion about answers and
// gradients.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "train/quantile/feature_cache.h"
#include "train/quantile/quantile_model.h"
#include "train/quantile/quantile_step.h"

namespace aleph::train {

class QuantileTwin {
 public:
  // Begins with a copy of the model; the cache must outlive it. whole: weights and activations are
  // rounded on the way forward, and gradients go straight through.
  QuantileTwin(const QuantileModel& model, const FeatureCache& cache, const QuantileLoss& loss,
               bool whole);
  ~QuantileTwin();

  double loss(std::span<const std::uint32_t> rows) const;
  std::vector<RowLogits> logits(std::span<const std::uint32_t> rows) const;
  QuantileModel gradient(std::span<const std::uint32_t> rows);  // in the shape of the model

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aleph::train
