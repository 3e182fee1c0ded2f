// The description of a network in a file of its own: JSON if it begins with a brace, otherwise
// YAML.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "nets/spec/net_spec.h"

namespace aleph::nets {

// Messages begin with the file. An engine that is built alone reads no YAML, and says so.
Result<NetSpec> read_spec_file(const std::filesystem::path& file);

}  // namespace aleph::nets
