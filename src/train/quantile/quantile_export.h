// From floats that were learnt to a .qnnue file with its card.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "nnue/quantile/quantile_network.h"
#include "train/quantile/feature_cache.h"
#include "train/quantile/quantile_model.h"

namespace aleph::train {

// How far the engine's integers are from the floats, neither weights nor activations rounded: in
// expected score, over all five quantiles.
struct QuantileRounding {
  static constexpr double kLimit = 0.01;  // of the mean

  std::size_t positions = 0;
  double mean = 0, worst = 0;
};
QuantileRounding compare_rounding(QuantileModel& model,
                                  const std::shared_ptr<const nnue::QuantileNetwork>& network,
                                  const FeatureCache& cache, std::span<const std::uint32_t> rows,
                                  std::size_t threads);

// Writes FOLDER/qn-XXXXXXXXXXXX.qnnue, called by its content, and its card beside it as .json. The
// path of the network.
Result<std::filesystem::path> write_quantile(const nnue::QuantileNetwork& network,
                                             const std::filesystem::path& folder);

}  // namespace aleph::train
