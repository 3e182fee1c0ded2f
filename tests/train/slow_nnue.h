// The slow, obvious twin of the NNUE trainer's forward pass: double precision, one position at a
// time, plain loops over the parameters. Its gradients are differences.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "search/random_positions.h"
#include "train/nnue/nnue_model.h"
#include "train/nnue/nnue_step.h"
#include "train/nnue/sparse_batch.h"

namespace aleph::test {

inline double clip(double value) { return std::clamp(value, 0.0, 1.0); }

inline double slow_output(const train::NnueModel& model, const train::SparseBatch& batch,
                          std::size_t position) {
  const std::size_t width = model.width, half = width / 2, bucket = batch.bucket[position];
  const train::StackShape shape = model.shape();
  const float* const stack = model.stack(bucket);
  std::vector<double> products;
  double output = stack[shape.third_bias()];
  for (std::size_t side = 0; side < 2; ++side) {
    std::vector<double> sums(model.bias.begin(), model.bias.end());
    for (const std::size_t feature : batch.features_of(2 * position + side)) {
      for (std::size_t j = 0; j < width; ++j) sums[j] += model.weight[feature * width + j];
      output += (side == 0 ? 0.5 : -0.5) * model.psqt[feature * 8 + bucket];
    }
    for (std::size_t j = 0; j < half; ++j)
      products.push_back(clip(sums[j]) * clip(sums[half + j]) * 127 / 128);
  }
  std::vector<double> first(16), inputs(32), second(32);
  for (std::size_t k = 0; k < 16; ++k) {
    first[k] = stack[shape.first_bias() + k];
    for (std::size_t i = 0; i < width; ++i)
      first[k] += stack[shape.first_weight() + k * width + i] * products[i];
  }
  for (std::size_t k = 0; k < 15; ++k) {
    inputs[k] = std::min(first[k] * first[k] * 127 / 128, 1.0);
    inputs[16 + k] = clip(first[k]);
  }
  for (std::size_t k = 0; k < 32; ++k) {
    second[k] = stack[shape.second_bias() + k];
    for (std::size_t i = 0; i < 32; ++i)
      second[k] += stack[shape.second_weight() + k * 32 + i] * inputs[i];
    output += stack[shape.third_weight() + k] * clip(second[k]);
  }
  return output + first[15];
}

inline double slow_loss(const train::NnueModel& model, const train::StepSettings& settings,
                        const train::SparseBatch& batch) {
  double sum = 0;
  for (std::size_t i = 0; i < batch.positions(); ++i) {
    const double units = 600 * slow_output(model, batch, i);
    const double expected = 1 / (1 + std::exp(-units / settings.score_scale));
    sum += std::pow(std::abs(expected - double{batch.target[i]}), settings.loss_power);
  }
  return sum / static_cast<double>(batch.positions());
}

// Random positions with random targets.
inline train::SparseBatch random_batch(std::uint64_t seed, int positions) {
  train::BatchBuilder builder;
  Rng rng(seed);
  visit_random_positions(seed, positions, [&](const chess::Position& position) {
    builder.add(nnue::Placement::of(position.board()), position.side_to_move(),
                static_cast<float>(rng.uniform()));
  });
  return builder.take();
}

// Random weights that reach every part of the activations.
inline train::NnueModel lively_model(std::size_t width, std::uint64_t seed) {
  train::NnueModel model = train::NnueModel::random(width, seed);
  Rng rng(seed + 1);
  for (const auto array : model.arrays())
    for (float& value : array) value += static_cast<float>(0.1 * (rng.uniform() - 0.5));
  // The two empty places of the second layer stay empty, and what is idle at the end.
  const train::StackShape shape = model.shape();
  for (std::size_t b = 0; b < 8; ++b) {
    float* const stack = model.stacks.data() + b * shape.size();
    for (std::size_t i = 15; i < 32 * 32; i += 16) stack[shape.second_weight() + i] = 0;
    std::fill(stack + shape.third_bias() + 1, stack + shape.size(), 0.0F);
  }
  return model;
}

}  // namespace aleph::test
