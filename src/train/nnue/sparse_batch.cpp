#include "train/nnue/sparse_batch.h"

#include <array>
#include <cassert>
#include <utility>

#include "nnue/features/piece_features.h"
#include "nnue/output.h"

namespace aleph::train {

using chess::Color;

namespace {

// Positions in order of their bucket; equal ones keep theirs.
std::vector<std::uint32_t> by_bucket(const std::vector<std::uint8_t>& pieces) {
  std::array<std::uint32_t, nnue::kBuckets + 1> first{};
  for (const int count : pieces) ++first[nnue::bucket_for(count) + 1];
  for (std::size_t b = 0; b < nnue::kBuckets; ++b) first[b + 1] += first[b];
  std::vector<std::uint32_t> order(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i)
    order[first[nnue::bucket_for(pieces[i])]++] = static_cast<std::uint32_t>(i);
  return order;
}

void index_by_feature(SparseBatch& batch) {
  batch.feature_first.assign(kFeatures + 1, 0);
  for (const std::size_t feature : batch.features) ++batch.feature_first[feature + 1];
  for (std::size_t f = 0; f < kFeatures; ++f) batch.feature_first[f + 1] += batch.feature_first[f];
  std::vector<std::uint32_t> next(batch.feature_first.begin(), batch.feature_first.end() - 1);
  batch.rows.resize(batch.features.size());
  for (std::size_t row = 0; row + 1 < batch.row_first.size(); ++row)
    for (const std::size_t feature : batch.features_of(row))
      batch.rows[next[feature]++] = static_cast<std::uint32_t>(row);
}

}  // namespace

void BatchBuilder::reserve(std::size_t positions) {
  features_.reserve(positions * 2 * 32);
  first_.reserve(positions);
  pieces_.reserve(positions);
  target_.reserve(positions);
}

void BatchBuilder::add(const nnue::Placement& placement, Color side_to_move, float target) {
  const chess::Bitboard occupied = placement.occupied();
  assert(occupied.count() <= 32);
  first_.push_back(static_cast<std::uint32_t>(features_.size()));
  pieces_.push_back(static_cast<std::uint8_t>(occupied.count()));
  target_.push_back(target);
  for (const Color side : {side_to_move, ~side_to_move}) {
    const nnue::PieceNumbering number(nnue::FeatureFamily::HalfKAv2Hm,
                                      nnue::View(side, placement.king(side)));
    for (const chess::Square square : occupied)
      features_.push_back(static_cast<std::uint16_t>(number(placement.piece_on(square), square)));
  }
}

SparseBatch BatchBuilder::take() {
  SparseBatch batch;
  const std::size_t positions = target_.size();
  batch.row_first.reserve(2 * positions + 1);
  batch.row_first.push_back(0);
  batch.features.reserve(features_.size());
  batch.bucket.reserve(positions);
  batch.target.reserve(positions);
  for (const std::uint32_t i : by_bucket(pieces_)) {
    const auto from = features_.begin() + first_[i];
    batch.features.insert(batch.features.end(), from, from + 2 * pieces_[i]);
    batch.row_first.push_back(batch.row_first.back() + pieces_[i]);
    batch.row_first.push_back(batch.row_first.back() + pieces_[i]);
    batch.bucket.push_back(static_cast<std::uint8_t>(nnue::bucket_for(pieces_[i])));
    batch.target.push_back(target_[i]);
  }
  index_by_feature(batch);
  features_.clear(), first_.clear(), pieces_.clear(), target_.clear();
  return batch;
}

}  // namespace aleph::train
