// Quantile layers for the material network that are equally sure of every position: as much as the
// test wants.
#pragma once

#include <algorithm>
#include <memory>

#include "nnue/quantile/quantile_file.h"
#include "search/alpha_beta/quantile_search.h"
#include "search/material_network.h"

namespace aleph::test {

// q10 and q90 lie `units` below and above the median, which is the network's own value; q25 and q75
// half as far.
inline nnue::QuantileNetwork constant_quantiles(int width, int units) {
  const int step = units * nnue::kQuantileOne / nnue::kQuantileScale / 2;
  nnue::QuantileNetwork network;
  network.width = width;
  network.base_sha256 = std::string(64, '0');
  network.card = "{}";
  for (nnue::QuantileStack& stack : network.stacks) {
    stack.first_weight.assign(static_cast<std::size_t>(nnue::kQuantileFirst * width), 0);
    // The answer that makes such a step: from the parabola, or above it the step itself.
    int answer = -nnue::kQuantileOne;
    while (nnue::quantile_step(answer) < step) ++answer;
    stack.third_bias = {-2 * step, answer, answer, answer, answer};
  }
  return network;
}

inline eval::QuantileModels quantile_models(int units) {
  const eval::NnueModels& plain = material_models();
  const auto layers = std::make_shared<const nnue::QuantileNetwork>(
      constant_quantiles(plain.main->architecture().width, units));
  return {plain, eval::quantiles_for(*plain.main, layers).take()};
}

}  // namespace aleph::test
