// A network evaluated from scratch, without accumulators to keep: the slow lists of active
// features, then kernels. Much faster than reference.h, and shares no incremental code with the
// stack it checks.
#pragma once

#include <memory>
#include <vector>

#include "base/memory.h"
#include "nnue/evaluator.h"
#include "nnue/features/active.h"

namespace aleph::test {

class ScratchEvaluator {
 public:
  ScratchEvaluator(std::shared_ptr<const nnue::Model> model, const nnue::Kernels& kernels)
      : model_(std::move(model)),
        kernels_(*nnue::kernels_for(kernels, model_->architecture().width)),
        forward_(model_->architecture(), kernels) {
    for (auto& values : values_) values.resize(static_cast<std::size_t>(kernels_.width));
  }

  nnue::RawOutput evaluate(const chess::Position& position) {
    const int bucket = nnue::bucket_for(position.occupied().count());
    const int us = chess::index(position.side_to_move());
    for (const auto side : {chess::Color::White, chess::Color::Black}) accumulate(position, side);
    forward_.transform(values_[us].data(), values_[1 - us].data(), features_);
    return {(psqt_[us][bucket] - psqt_[1 - us][bucket]) / 2,
            forward_.propagate(model_->layers()[bucket], features_)};
  }
  // Of the last position evaluated.
  const AlignedVector<std::int16_t>& values(chess::Color side) const {
    return values_[chess::index(side)];
  }
  const nnue::PsqtSums& psqt(chess::Color side) const { return psqt_[chess::index(side)]; }

 private:
  void accumulate(const chess::Position& position, chess::Color side) {
    const nnue::Network& network = model_->network();
    const nnue::Architecture& architecture = network.architecture;
    const auto placement = nnue::Placement::of(position.board());
    psqt_[chess::index(side)] = {};
    std::vector<const std::int16_t*> words;
    std::vector<const std::int8_t*> bytes;
    const auto list = [&](const auto& active, const auto& weights, const auto& psqt, auto& rows) {
      for (const std::size_t feature : active) {
        rows.push_back(weights.data() + feature * static_cast<std::size_t>(architecture.width));
        for (std::size_t b = 0; b < nnue::kBuckets; ++b)
          psqt_[chess::index(side)][b] += psqt[feature * nnue::kBuckets + b];
      }
    };
    list(active_pieces(architecture.family, placement, side), network.piece_weight,
         network.piece_psqt, words);
    list(active_threats(architecture.threats, placement, side), network.threat_weight,
         network.threat_psqt, bytes);
    if (architecture.pawn_pairs)
      list(active_pawn_pairs(placement, side), network.pair_weight, network.pair_psqt, bytes);
    nnue::RowChanges rows;
    rows.added = words.data();
    rows.added_count = static_cast<std::uint32_t>(words.size());
    rows.added_bytes = bytes.data();
    rows.added_bytes_count = static_cast<std::uint32_t>(bytes.size());
    kernels_.update(network.bias.data(), rows, values_[chess::index(side)].data(), nullptr);
  }

  std::shared_ptr<const nnue::Model> model_;
  const nnue::WidthKernels& kernels_;
  nnue::ForwardPass forward_;
  std::array<AlignedVector<std::int16_t>, 2> values_;
  std::array<nnue::PsqtSums, 2> psqt_{};
  nnue::TransformedFeatures features_;
};

}  // namespace aleph::test
