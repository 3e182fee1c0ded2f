// From datasets to a cache of features, by the engine's own code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "chess/board.h"
#include "nnue/evaluator.h"
#include "train/quantile/feature_cache.h"
#include "train/quantile/quantile_config.h"

namespace aleph::train {

// A network by name or path, or the one inside of this program ("embedded"), ready to be asked.
Result<std::shared_ptr<const nnue::Model>> load_base(const std::string& name);

// By the pieces of both sides without pawns (knight and bishop 3, rook 5, queen 9; 62 at first): 0
// from 50 on, 2 up to 22, 1 between.
int phase_of(const chess::Board& board);

struct FeatureRequest {
  std::vector<QuantileSource> sources;
  QuantileTarget target = QuantileTarget::Deep;  // of a row, the last score or all
  bool skip_checks = false;
};

// The features of all rows, from the file if it has exactly them, or computed and written to it.
// The features are in the order of the network's file, whatever order the engine plays with. Rows
// that hold no position are left out; no row at all, or only scores of mates, is an error.
Result<FeatureCache> cached_features(const FeatureRequest& request,
                                     const std::shared_ptr<const nnue::Model>& base,
                                     const std::filesystem::path& file, bool talk);

// Whether a row belongs to the validation: the same for all rows of a game.
bool is_validation(const CachedRow& row, const QuantileSplit& split);

struct SplitRows {
  std::vector<std::uint32_t> train, validation;
};
SplitRows split_rows(const FeatureCache& cache, const QuantileSplit& split);

}  // namespace aleph::train
