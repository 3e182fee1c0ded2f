// Rows of a dataset as sparse batches, one being made while the one before it is learnt.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <vector>

#include "base/result.h"
#include "data/dataset/dataset.h"
#include "train/nnue/nnue_config.h"
#include "train/nnue/sparse_batch.h"

namespace aleph::train {

struct LoadedBatch {
  SparseBatch batch;             // without positions: the end of the epoch
  std::uint64_t rows_given = 0;  // of the epoch, with those that were left out
};

// Left out: positions in check (no network is asked about them), scores beyond the limit (mates),
// rows whose move takes if the config wants that, and rows that are no position.
class NnueLoader {
 public:
  // `source` is one of config.data and config.validation. Goes on behind `skipped` rows.
  static Result<NnueLoader> open(const NnueConfig& config, const NnueConfig::Data& source,
                                 bool shuffle, std::uint64_t epoch, std::uint64_t skipped);
  NnueLoader(NnueLoader&&) noexcept;
  ~NnueLoader();

  std::uint64_t rows() const;  // of the epoch
  Result<LoadedBatch> next();

 private:
  struct State;
  explicit NnueLoader(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
  std::future<Result<LoadedBatch>> ahead_;  // after state_, so that it ends first
};

// What the side to move may expect, 0 to 1. The outcome is 1, 0 or -1; without one the score is
// all.
float target_of(const NnueConfig& config, int score, const int* outcome);

// A position as the engine's own code evaluates it.
struct SampledPosition {
  nnue::Placement placement;
  chess::Color side_to_move = chess::Color::White;
};
// The first positions of a dataset that are not in check, at most so many.
Result<std::vector<SampledPosition>> sample_positions(const NnueConfig::Data& source,
                                                      std::size_t count);

}  // namespace aleph::train
