// An NNUE network while it learns: floats, in the trainer's unit (1.0 is 600 internal units of the
// engine, and a neuron that is fully on).
//
// Feature rows are whole: what several king buckets share is added to each of them as it is learnt
// (nnue_step.h), so that the forward pass and the export see one table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.h"
#include "nnue/output.h"
#include "train/nnue/sparse_batch.h"
#include "train/nnue/stack_shape.h"

namespace aleph::train {

// Engine units for 1.0; the network file has 16 raw units for each of those.
inline constexpr float kUnitsPerOne = 600.0F;
// Weights of layers are bytes in the file: so many steps for 1.0 in the first two layers, and in
// the last. The limits are the largest that a byte holds.
inline constexpr float kHiddenSteps = 64.0F, kOutputSteps = 9600.0F / 127.0F;
inline constexpr float kHiddenLimit = 127.0F / kHiddenSteps, kOutputLimit = 127.0F / kOutputSteps;

struct NnueModel {
  std::size_t width = 0;
  LargeArray<float> weight;     // [kFeatures][width]
  LargeArray<float> psqt;       // [kFeatures][8]
  AlignedVector<float> bias;    // [width]
  AlignedVector<float> stacks;  // [8] of StackShape{width}.size()

  StackShape shape() const { return {width}; }
  const float* stack(std::size_t bucket) const { return stacks.data() + bucket * shape().size(); }
  // All parameters, for files; the order is part of the format of checkpoints.
  std::vector<std::span<float>> arrays();

  // Everything zero.
  static NnueModel empty(std::size_t width);
  // Small random weights, the same for every bucket of the king; piece values as piece-square part.
  static NnueModel random(std::size_t width, std::uint64_t seed);
};

// A multiple of 32; beyond 64 a multiple of 64.
bool is_trainable_width(std::size_t width);

}  // namespace aleph::train
