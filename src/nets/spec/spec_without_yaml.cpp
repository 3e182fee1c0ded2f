// Takes the place of spec_yaml.cpp where the engine is built alone, without yaml-cpp.
#include <fmt/format.h>

#include "nets/spec/spec_yaml.h"

namespace aleph::nets {

Result<NetSpec> read_spec_yaml(const std::filesystem::path& file) {
  return Error{fmt::format(
      "{}: it does not begin with a brace as JSON does, and YAML is read only by an aleph that was "
      "built together with aleph-lab or aleph-train (make lab)",
      file.string())};
}

}  // namespace aleph::nets
