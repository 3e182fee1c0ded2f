#include "nnue/reference.h"

#include <algorithm>

#include "nnue/features/active.h"

namespace aleph::nnue {

using chess::Color;

namespace {

// Sums wrap around like the registers of the fast code do; only a made-up network gets that far.
std::int16_t wrapping_sum(std::int16_t a, std::int16_t b) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(a) + static_cast<std::uint16_t>(b));
}
std::int32_t wrapping_sum(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

template <class Weight>
void add_rows(const std::vector<std::uint32_t>& active, const LargeArray<Weight>& weight,
              const LargeArray<std::int32_t>& psqt, ReferenceAccumulator& sum) {
  const std::size_t width = sum.values.size();
  for (const std::size_t feature : active) {
    for (std::size_t j = 0; j < width; ++j)
      sum.values[j] =
          wrapping_sum(sum.values[j], static_cast<std::int16_t>(weight[feature * width + j]));
    for (std::size_t b = 0; b < kBuckets; ++b)
      sum.psqt[b] = wrapping_sum(sum.psqt[b], psqt[feature * kBuckets + b]);
  }
}

std::vector<std::int32_t> dense(const DenseLayer& layer, const std::vector<std::uint8_t>& inputs) {
  std::vector<std::int32_t> outputs(layer.bias.begin(), layer.bias.end());
  for (int k = 0; k < layer.outputs; ++k)
    for (int i = 0; i < layer.inputs; ++i)
      outputs[k] = wrapping_sum(outputs[k], layer.weight[k * layer.padded_inputs + i] * inputs[i]);
  return outputs;
}

std::uint8_t squared(std::int32_t value, int shift) {
  return static_cast<std::uint8_t>(
      std::min<std::int64_t>(127, std::int64_t{value} * value >> shift));
}
std::uint8_t clipped(std::int32_t value, int shift) {
  return static_cast<std::uint8_t>(std::clamp(value >> shift, 0, 127));
}

// Squares of the first `count` values, then the values themselves, both brought to 0..127.
std::vector<std::uint8_t> squared_and_clipped(const std::vector<std::int32_t>& values, int count,
                                              int square_shift, int clip_shift) {
  std::vector<std::uint8_t> activated;
  for (int i = 0; i < count; ++i) activated.push_back(squared(values[i], square_shift));
  for (int i = 0; i < count; ++i) activated.push_back(clipped(values[i], clip_shift));
  return activated;
}

std::vector<std::uint8_t> only_clipped(const std::vector<std::int32_t>& values, int count) {
  std::vector<std::uint8_t> activated;
  for (int i = 0; i < count; ++i) activated.push_back(clipped(values[i], 6));
  return activated;
}

std::int32_t old_stack(const LayerStack& stack, StackKind kind,
                       const std::vector<std::uint8_t>& features) {
  const auto first = dense(stack.first, features);
  const auto second =
      dense(stack.second, kind == StackKind::V4 ? only_clipped(first, 15)
                                                : squared_and_clipped(first, 15, 19, 6));
  const auto third = dense(stack.third, only_clipped(second, 32));
  return positional_v5(third[0], first[15]);
}

std::int32_t new_stack(const LayerStack& stack, const std::vector<std::uint8_t>& features) {
  const auto first = dense(stack.first, features);
  std::vector<std::uint8_t> inputs = squared_and_clipped(first, 32, 21, 7);
  const auto second = dense(stack.second, inputs);
  for (const std::uint8_t value : squared_and_clipped(second, 32, 19, 6)) inputs.push_back(value);
  const auto third = dense(stack.third, inputs);
  return positional_v16(third[0], first[30], first[31]);
}

}  // namespace

ReferenceAccumulator reference_accumulator(const Network& network, const Placement& placement,
                                           Color perspective) {
  const Architecture& architecture = network.architecture;
  ReferenceAccumulator sum;
  sum.values.assign(network.bias.begin(), network.bias.end());
  add_rows(active_pieces(architecture.family, placement, perspective), network.piece_weight,
           network.piece_psqt, sum);
  add_rows(active_threats(architecture.threats, placement, perspective), network.threat_weight,
           network.threat_psqt, sum);
  if (architecture.pawn_pairs)
    add_rows(active_pawn_pairs(placement, perspective), network.pair_weight, network.pair_psqt,
             sum);
  return sum;
}

std::int32_t reference_positional(const Network& network, int bucket,
                                  const std::vector<std::uint8_t>& features) {
  const StackKind kind = network.architecture.stack;
  const LayerStack& stack = network.stacks[bucket];
  return kind == StackKind::V16 ? new_stack(stack, features) : old_stack(stack, kind, features);
}

ReferenceEvaluation reference_evaluation(const Network& network, const chess::Position& position) {
  const Architecture& architecture = network.architecture;
  const Placement placement = Placement::of(position.board());
  const Color us = position.side_to_move();
  const ReferenceAccumulator ours = reference_accumulator(network, placement, us);
  const ReferenceAccumulator theirs = reference_accumulator(network, placement, ~us);

  ReferenceEvaluation result;
  result.bucket = bucket_for(position.occupied().count());
  const std::size_t half = static_cast<std::size_t>(architecture.width) / 2;
  for (const ReferenceAccumulator* part : {&ours, &theirs})
    for (std::size_t j = 0; j < half; ++j) {
      const int a = std::clamp<int>(part->values[j], 0, architecture.clip);
      const int b = std::clamp<int>(part->values[j + half], 0, architecture.clip);
      result.features.push_back(static_cast<std::uint8_t>(a * b >> architecture.shift));
    }
  for (int b = 0; b < kBuckets; ++b) {
    const std::int64_t difference = std::int64_t{ours.psqt[b]} - theirs.psqt[b];
    result.buckets[b] = {static_cast<std::int32_t>(difference / 2),
                         reference_positional(network, b, result.features)};
  }
  return result;
}

}  // namespace aleph::nnue
