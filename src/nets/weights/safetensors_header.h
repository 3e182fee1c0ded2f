// The JSON header of a safetensors file, before anything in it is checked against the file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace aleph::nets {

struct HeaderEntry {
  std::string name, type;
  std::vector<std::uint64_t> shape, offsets;
  bool has_shape = false;
};

struct Header {
  std::map<std::string, std::string, std::less<>> metadata;
  std::vector<HeaderEntry> entries;
};

// Takes only what such a header may have, so that a hostile one cannot cost more than its length.
// Fails if a name comes twice.
Result<Header> parse_header(std::string_view text);

}  // namespace aleph::nets
