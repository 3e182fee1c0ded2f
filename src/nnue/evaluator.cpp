#include "nnue/evaluator.h"

namespace aleph::nnue {

using chess::Color;
using chess::Position;

Evaluator::Evaluator(std::shared_ptr<const Model> model, const Kernels& kernels)
    : model_(std::move(model)),
      forward_(model_->architecture(), kernels),
      accumulators_(model_->network(), kernels) {}

void Evaluator::transform(const Placement& placement, Color us) {
  accumulators_.compute(placement);
  forward_.transform(accumulators_.values(us), accumulators_.values(~us), features_);
}

std::int32_t Evaluator::psqt_of_bucket(Color side_to_move, int bucket) const {
  const std::int64_t difference = std::int64_t{accumulators_.psqt(side_to_move)[bucket]} -
                                  accumulators_.psqt(~side_to_move)[bucket];
  return static_cast<std::int32_t>(difference / 2);
}

RawOutput Evaluator::evaluate(const Placement& placement, Color side_to_move) {
  const int bucket = bucket_for(placement.occupied().count());
  transform(placement, side_to_move);
  return {psqt_of_bucket(side_to_move, bucket),
          forward_.propagate(model_->layers()[bucket], features_)};
}

RawOutput Evaluator::evaluate_from_scratch(const Position& position) {
  accumulators_.forget();
  return evaluate(position);
}

AllBuckets Evaluator::evaluate_all_buckets(const Position& position) {
  AllBuckets outputs;
  transform(Placement::of(position.board()), position.side_to_move());
  for (int b = 0; b < kBuckets; ++b)
    outputs[b] = {psqt_of_bucket(position.side_to_move(), b),
                  forward_.propagate(model_->layers()[b], features_)};
  return outputs;
}

std::int32_t Evaluator::psqt(const Position& position) {
  const int bucket = bucket_for(position.occupied().count());
  const std::int64_t difference =
      accumulators_.psqt_difference(Placement::of(position.board()), bucket);
  const bool white = position.side_to_move() == Color::White;
  return static_cast<std::int32_t>((white ? difference : -difference) / 2);
}

std::span<const std::uint8_t> Evaluator::transformed(const Position& position) {
  transform(Placement::of(position.board()), position.side_to_move());
  const auto width = static_cast<std::size_t>(architecture().width);
  const auto& order = model_->network().neuron_order;
  if (order.empty()) return {features_.bytes.data(), width};
  in_file_order_.resize(width);
  for (std::size_t i = 0; i < width; ++i)
    in_file_order_[i / order.size() * order.size() + order[i % order.size()]] = features_.bytes[i];
  return in_file_order_;
}

}  // namespace aleph::nnue
