// What the layers of a network are given on real positions.
#pragma once

#include <map>

#include "nets/executor/moments.h"
#include "nets/executor/network.h"

namespace aleph::nets {

class Calibration {
 public:
  // Runs the network in fp32 on all these positions.
  static Result<Calibration> make(const Graph& graph, const Tensors& tensors, std::size_t positions,
                                  const Network::Inputs& inputs);

  // Of what the layer at this step is given; null if it has not been looked at.
  const Moments* of(const Graph& graph, int layer) const;

 private:
  std::map<ValueId, Moments> moments_;
};

}  // namespace aleph::nets
