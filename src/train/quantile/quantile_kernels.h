// The arithmetic of quantile layers for one position: forward as the engine's integers do it, and
// back. Compiled with the flags for loops over all weights (cmake/torch.cmake).
//
// Floats hold the engine's whole numbers exactly: the largest sum of the first layer is 127 * 127 *
// 1024, below 2^24.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "train/quantile/quantile_model.h"

namespace aleph::train {

// The features of a position that are not zero: 1 to 127.
struct SparseInputs {
  const std::uint16_t* places;
  const float* values;
  std::size_t count;
};

// What a pass forward leaves for the way back, in the engine's scale.
struct QuantileTrace {
  alignas(64) std::array<float, kFirstOutputs> first;     // before activation
  alignas(64) std::array<float, kSecondInputs> inputs;    // of the second layer: squares, clipped
  alignas(64) std::array<float, kSecondOutputs> second;   // before activation
  alignas(64) std::array<float, kSecondOutputs> clipped;  // after it
  std::array<double, nnue::kQuantiles> answers;           // of the third layer, in logits
  std::array<double, nnue::kQuantiles> logits;            // d_0 .. d_4, never decreasing
};

// The stack is in the engine's scale. whole: activations are cut to bytes, as the engine cuts them;
// otherwise half of one is taken off, which is what cutting costs on average.
void quantile_forward(const float* stack, const QuantileShape& shape, const SparseInputs& inputs,
                      bool whole, QuantileTrace& trace);

// Adds to the gradients of the stack's numbers, in the trainer's scale. Rounding is passed straight
// through: only clipping stops a gradient.
void quantile_backward(const float* stack, const QuantileShape& shape, const SparseInputs& inputs,
                       const QuantileTrace& trace,
                       const std::array<double, nnue::kQuantiles>& logit_gradients,
                       float* gradients);

// Mean pinball loss of the five quantiles in expected score, over all targets. The base and the
// targets are in logits; a gradient for each of d_0 .. d_4 is set. It is that of the loss and of
// logit_weight times the pinball loss in logits: in expected score alone, decided positions
// hardly count, and their quantiles would not cover what they should.
double pinball_loss(double base, const std::array<double, nnue::kQuantiles>& logits,
                    std::span<const double> targets,
                    std::array<double, nnue::kQuantiles>& gradients, double logit_weight = 0);

// One step of Adam over some numbers; then they are clipped to -limit .. limit.
struct AdamRate {
  float rate, first_left, second_left;  // left: what the decays of the first steps leave out

  static AdamRate at(std::uint64_t step, double rate);  // 1, 2, 3 ...
};
void adam_step(const AdamRate& rate, const float* gradients, float* first, float* second,
               float* values, std::size_t count, float limit);

// to += values
void add_floats(float* to, const float* values, std::size_t count);

}  // namespace aleph::train
