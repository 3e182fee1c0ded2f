// Positions as an NNUE trainer wants them: which inputs are on, as two lists.
//
// By position: row 2i holds the features that the side to move of position i sees, row 2i + 1 those
// of the other side. By feature: the rows in which it is on, ascending. The first list makes
// accumulators, the second their gradients; with it every sum has a fixed order, whatever the
// number of threads.
//
// Positions are sorted by bucket, so that the layers of one bucket stay in the cache.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chess/color.h"
#include "nnue/features/placement.h"

namespace aleph::train {

inline constexpr std::size_t kFeatures = 22'528;   // HalfKAv2_hm
inline constexpr std::size_t kPieceSquares = 704;  // the same without the king's bucket
inline constexpr std::size_t kKingBuckets = 32;

struct SparseBatch {
  std::vector<std::uint32_t> row_first;  // [2 * positions + 1]
  std::vector<std::uint16_t> features;
  std::vector<std::uint8_t> bucket;  // of each position
  std::vector<float> target;         // 0 .. 1, what the side to move may expect

  std::vector<std::uint32_t> feature_first;  // [kFeatures + 1]
  std::vector<std::uint32_t> rows;

  std::size_t positions() const { return bucket.size(); }
  std::span<const std::uint16_t> features_of(std::size_t row) const {
    return std::span(features).subspan(row_first[row], row_first[row + 1] - row_first[row]);
  }
  std::span<const std::uint32_t> rows_of(std::size_t feature) const {
    return std::span(rows).subspan(feature_first[feature],
                                   feature_first[feature + 1] - feature_first[feature]);
  }
};

class BatchBuilder {
 public:
  void reserve(std::size_t positions);
  // At most 32 pieces, one king each.
  void add(const nnue::Placement& placement, chess::Color side_to_move, float target);
  std::size_t positions() const { return target_.size(); }
  // The batch; the builder is then empty.
  SparseBatch take();

 private:
  // In the order of their coming.
  std::vector<std::uint16_t> features_;  // of the side to move, then of the other
  std::vector<std::uint32_t> first_;     // [positions]: in features_
  std::vector<std::uint8_t> pieces_;
  std::vector<float> target_;
};

}  // namespace aleph::train
