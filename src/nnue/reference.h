// The slow, obvious evaluation of a network: one position from scratch, plain loops over the file's
// own order of weights. Everything fast is tested against this, and this against Stockfish.
#pragma once

#include <cstdint>
#include <vector>

#include "chess/position.h"
#include "nnue/features/placement.h"
#include "nnue/network.h"
#include "nnue/output.h"

namespace aleph::nnue {

struct ReferenceEvaluation {
  int bucket = 0;  // the one that counts for this position
  AllBuckets buckets;
  std::vector<std::uint8_t> features;  // [width]: input of the dense layers, side to move first
};

ReferenceEvaluation reference_evaluation(const Network& network, const chess::Position& position);

// The parts, for tests of kernels on real weights.
struct ReferenceAccumulator {
  std::vector<std::int16_t> values;  // [width]
  std::array<std::int32_t, kBuckets> psqt{};
};
ReferenceAccumulator reference_accumulator(const Network& network, const Placement& placement,
                                           chess::Color perspective);
std::int32_t reference_positional(const Network& network, int bucket,
                                  const std::vector<std::uint8_t>& features);

}  // namespace aleph::nnue
