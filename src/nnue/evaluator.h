// One network at work on one thread: raw outputs for positions along a line of moves.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "chess/position.h"
#include "nnue/accumulator.h"
#include "nnue/forward.h"
#include "nnue/network.h"
#include "nnue/output.h"
#include "nnue/simd/kernels.h"

namespace aleph::nnue {

// A network with its layers packed for kernels. Never changed, shared by all threads.
class Model {
 public:
  explicit Model(std::shared_ptr<const Network> network)
      : network_(std::move(network)), layers_(*network_) {}

  const Network& network() const { return *network_; }
  const Architecture& architecture() const { return network_->architecture; }
  const PackedLayers& layers() const { return layers_; }

 private:
  std::shared_ptr<const Network> network_;
  PackedLayers layers_;
};

class Evaluator {
 public:
  explicit Evaluator(std::shared_ptr<const Model> model, const Kernels& kernels = best_kernels());

  const Model& model() const { return *model_; }
  const Architecture& architecture() const { return model_->architecture(); }

  // Before a move (or a null move) is made on the board; pop() when it is taken back. They make
  // evaluations fast; the answers do not depend on them.
  void push(const chess::Position& before) { accumulators_.push(before); }
  void pop() { accumulators_.pop(); }
  void reset() { accumulators_.reset(); }

  // Side to move's view, from the bucket that belongs to the position.
  RawOutput evaluate(const chess::Position& position) {
    return evaluate(Placement::of(position.board()), position.side_to_move());
  }
  // The same for pieces that need not stand legally, say with one taken off the board.
  RawOutput evaluate(const Placement& placement, chess::Color side_to_move);
  // The same without any earlier board to start from: for comparison.
  RawOutput evaluate_from_scratch(const chess::Position& position);
  AllBuckets evaluate_all_buckets(const chess::Position& position);
  // The psqt part of evaluate() alone, for a fraction of the cost.
  std::int32_t psqt(const chess::Position& position);
  // The input of the dense layers, `width` bytes in the order of the network's file, side to move
  // first. Valid until the next call.
  std::span<const std::uint8_t> transformed(const chess::Position& position);
  // What the last evaluation worked on, in the order the network has in memory: for whoever has
  // more to ask about the same position.
  const TransformedFeatures& features() const { return features_; }

 private:
  void transform(const Placement& placement, chess::Color side_to_move);
  std::int32_t psqt_of_bucket(chess::Color side_to_move, int bucket) const;

  std::shared_ptr<const Model> model_;
  ForwardPass forward_;
  AccumulatorStack accumulators_;
  TransformedFeatures features_;
  std::vector<std::uint8_t> in_file_order_;
};

}  // namespace aleph::nnue
