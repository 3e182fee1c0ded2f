#include "train/nnue/nnue_model.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "base/rng.h"

namespace aleph::train {
namespace {

constexpr std::size_t kBuckets = nnue::kBuckets;

float uniform(Rng& rng, double limit) {
  return static_cast<float>((2 * rng.uniform() - 1) * limit);
}

// Neurons begin in the middle of their range, where both factors of a product pass gradients on:
// about 22 rows of this size spread them by 0.13 around the bias.
constexpr double kRowLimit = 0.05, kBiasLow = 0.25, kBiasHigh = 0.45;

void fill_transformer(NnueModel& model, Rng& rng) {
  for (float& bias : model.bias)
    bias = static_cast<float>(kBiasLow + (kBiasHigh - kBiasLow) * rng.uniform());
  for (std::size_t place = 0; place < kPieceSquares; ++place)
    for (std::size_t j = 0; j < model.width; ++j) {
      const float value = uniform(rng, kRowLimit);
      for (std::size_t king = 0; king < kKingBuckets; ++king)
        model.weight[(king * kPieceSquares + place) * model.width + j] = value;
    }
}

// Units of pawn, knight, bishop, rook, queen: a start from which the network knows what to lose.
void fill_psqt(NnueModel& model) {
  constexpr std::array kUnits{126.0F, 781.0F, 825.0F, 1276.0F, 2538.0F, 0.0F};
  for (std::size_t feature = 0; feature < kFeatures; ++feature) {
    const std::size_t slot = feature % kPieceSquares / 64;
    const float sign = slot % 2 == 0 ? 1.0F : -1.0F;
    for (std::size_t b = 0; b < kBuckets; ++b)
      model.psqt[feature * kBuckets + b] = sign * kUnits[slot / 2] / kUnitsPerOne;
  }
}

void fill_stack(float* stack, const StackShape& shape, Rng& rng) {
  // Inputs of the first layer are products around 0.1: small, hence the larger weights.
  const double first = 2 / std::sqrt(static_cast<double>(shape.width));
  for (std::size_t i = 0; i < kFirstOutputs * shape.width; ++i) {
    const bool skip = i / shape.width == kSkipOutput;  // says nothing at first
    const float value = uniform(rng, first);
    stack[shape.first_weight() + i] = skip ? 0.0F : value;
  }
  for (std::size_t k = 0; k < kSkipOutput; ++k)
    stack[shape.first_bias() + k] = uniform(rng, 0.1) + 0.1F;
  const double second = std::sqrt(1.0 / 30);
  for (std::size_t i = 0; i < kSecondOutputs * kSecondInputs; ++i)
    stack[shape.second_weight() + i] = i % 16 == 15 ? 0.0F : uniform(rng, second);
  for (std::size_t k = 0; k < kSecondOutputs; ++k)
    stack[shape.second_bias() + k] = uniform(rng, 0.1) + 0.1F;
  for (std::size_t k = 0; k < kSecondOutputs; ++k)
    stack[shape.third_weight() + k] = uniform(rng, 0.2);
}

}  // namespace

bool is_trainable_width(std::size_t width) {
  return width >= 32 && width <= 4096 && width % (width > 64 ? 64 : 32) == 0;
}

std::vector<std::span<float>> NnueModel::arrays() {
  return {weight.span(), psqt.span(), std::span(bias), std::span(stacks)};
}

NnueModel NnueModel::empty(std::size_t width) {
  assert(is_trainable_width(width));
  NnueModel model;
  model.width = width;
  model.weight = LargeArray<float>(kFeatures * width);
  model.psqt = LargeArray<float>(kFeatures * kBuckets);
  model.bias.assign(width, 0.0F);
  model.stacks.assign(kBuckets * model.shape().size(), 0.0F);
  return model;
}

NnueModel NnueModel::random(std::size_t width, std::uint64_t seed) {
  NnueModel model = empty(width);
  Rng rng(seed);
  fill_transformer(model, rng);
  fill_psqt(model);
  // All buckets begin alike: those that few positions reach have then something to begin with.
  fill_stack(model.stacks.data(), model.shape(), rng);
  const std::size_t size = model.shape().size();
  for (std::size_t b = 1; b < kBuckets; ++b)
    std::copy_n(model.stacks.data(), size, model.stacks.data() + b * size);
  return model;
}

}  // namespace aleph::train
