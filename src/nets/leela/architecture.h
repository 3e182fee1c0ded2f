// From the messages of a file to a description: what its numbers and the lengths of its layers say.
#pragma once

#include "base/result.h"
#include "nets/leela/leela_file.h"
#include "nets/leela/messages.h"
#include "nets/spec/net_spec.h"

namespace aleph::nets::leela {

// What older programs left out or wrote otherwise is put right, as Leela itself does.
NetworkFormat corrected(NetworkFormat format, const Weights& weights);

// The network that is to be run: one trunk, one head of each kind.
struct Architecture {
  NetSpec spec;
  bool attention_body = false;
  // Those that were chosen, complete.
  PolicyHead policy;
  ValueHead value;
};

// Lengths that divide evenly are believed here; that they fit together is seen when the tensors are
// filled.
Result<Architecture> architecture_of(const Net& net, const LeelaHeads& heads);

}  // namespace aleph::nets::leela
