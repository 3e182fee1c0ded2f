// What a quantile network says of positions, in words that people read: expected score and
// centipawns, White's view.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "base/result.h"
#include "chess/position.h"
#include "nnue/evaluator.h"
#include "nnue/quantile/quantile_network.h"

namespace aleph::lab {

// q10, q25, q50, q75, q90; they never fall.
struct Band {
  std::array<double, 5> expected{};  // score of White, 0 to 1
  std::array<int, 5> centipawns{};

  // 1: no doubt; 0: from a sure loss to a sure win, in four of five cases.
  double certainty() const { return 1 - (expected[4] - expected[0]); }
};

class BandOracle {
 public:
  // The base may be empty: it is then the one that the quantile network names.
  static Result<BandOracle> open(const std::string& quantiles, const std::string& base);
  BandOracle(std::shared_ptr<const nnue::Model> base,
             std::shared_ptr<const nnue::QuantileNetwork> quantiles);

  Band band(const chess::Position& position);

 private:
  std::shared_ptr<const nnue::QuantileNetwork> quantiles_;
  std::unique_ptr<nnue::Evaluator> evaluator_;
};

}  // namespace aleph::lab
