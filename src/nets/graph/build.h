// From a description to a graph: the one place that says what a description means.
// docs/formats/network-tensors.md lists the names of the tensors.
#pragma once

#include "base/result.h"
#include "nets/graph/graph.h"
#include "nets/spec/net_spec.h"

namespace aleph::nets {

inline constexpr std::size_t kMostParameters = 1'000'000'000;

// Fails for what validate() (spec/validate.h) refuses, and for more parameters than there may be.
Result<Graph> build_graph(const NetSpec& spec);

}  // namespace aleph::nets
