// The part of reading that JSON and YAML share.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "nets/spec/net_spec.h"
#include "nets/spec/problem.h"

namespace aleph::nets {

// Longer texts are not descriptions.
inline constexpr std::size_t kLongestSpec = 1 << 20;

// Fills `spec`, which is as it was made, or says what is wrong with the tree.
std::optional<SpecProblem> read_spec(const nlohmann::ordered_json& tree, NetSpec& spec);
// A network that took its name from a file may be called anything: what read_spec would refuse is
// replaced by question marks.
nlohmann::ordered_json write_spec(const NetSpec& spec);

}  // namespace aleph::nets
