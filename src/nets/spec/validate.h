// Whether a description makes sense, wherever it came from.
#pragma once

#include "base/result.h"
#include "nets/spec/net_spec.h"

namespace aleph::nets {

// All numbers in their ranges, and the parts fit together: trunk and input, heads and trunk. The
// sentence begins with the path of a field: "heads[1].from: planes16 has no CLS token".
Status validate(const NetSpec& spec);

}  // namespace aleph::nets
