// Descriptions of networks as YAML: what people write (configs/models).
//
// Only what needs this links with yaml-cpp: the engine reads descriptions from weights files.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "nets/spec/net_spec.h"

namespace aleph::nets {

// As parse_spec_json; messages begin with the file and the line: "net.yml:7: trunk.heads: ...".
Result<NetSpec> parse_spec_yaml(const std::string& text, const std::string& file);
Result<NetSpec> read_spec_yaml(const std::filesystem::path& file);

// All fields, and none of the comments that were there.
std::string spec_to_yaml(const NetSpec& spec);

}  // namespace aleph::nets
