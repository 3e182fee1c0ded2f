// Adam and AdamW on flat arrays, with torch's formulas, and what goes around them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "train/parameters.h"
#include "train/train_config.h"

namespace aleph::train {

class Adam {
 public:
  // size: numbers that are learned. decaying: the parts that weight decay applies to. AdamW takes
  // its share off the weights themselves, Adam adds it to the gradient.
  Adam(const OptimizerConfig& config, std::size_t size, std::vector<FlatLayout::Place> decaying);

  // weights and gradient are as long as `size` or longer. The gradient is used times `scale`.
  // step: the first is 1.
  void step(std::span<float> weights, std::span<const float> gradient, double scale, double rate,
            std::uint64_t step);

  // Running means of the gradient and of its squares: all that Adam remembers.
  std::span<float> moment1() { return moment1_; }
  std::span<float> moment2() { return moment2_; }
  std::span<const float> moment1() const { return moment1_; }
  std::span<const float> moment2() const { return moment2_; }

 private:
  OptimizerConfig config_;
  std::vector<FlatLayout::Place> parts_;  // all numbers, cut where decay begins or ends
  std::vector<bool> decays_;              // of parts_
  Flat moment1_, moment2_;
};

double norm_of(std::span<const float> numbers);

// into += from * scale
void add_scaled(std::span<float> into, std::span<const float> from, float scale);

// average = decay * average + (1 - decay) * numbers
void move_average(std::span<float> average, std::span<const float> numbers, double decay);

}  // namespace aleph::train
