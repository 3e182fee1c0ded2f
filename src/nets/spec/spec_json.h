// Descriptions of networks as JSON: what weights files carry.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "nets/spec/net_spec.h"

namespace aleph::nets {

// Strict: a field that is not known, of another type or out of its range is refused, and so is a
// network that could not be built (validate.h). The sentence names the field by its path:
// "trunk.heads: 8 does not divide the width 250".
Result<NetSpec> parse_spec_json(std::string_view text);

// Every field (names: printable ASCII, the rest becomes question marks), also those that have their
// usual value: it may be another one in later versions. `indent`: spaces for each level; negative:
// all in one line.
std::string spec_to_json(const NetSpec& spec, int indent = -1);

}  // namespace aleph::nets
