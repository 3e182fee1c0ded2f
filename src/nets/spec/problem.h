// What is wrong with a description, and where: "trunk.heads", "8 does not divide the width 250".
#pragma once

#include <optional>
#include <string>

#include "nets/spec/net_spec.h"

namespace aleph::nets {

struct SpecProblem {
  std::string path;  // "heads[1].from"; empty: the whole
  std::string sentence;
  std::string message() const { return path.empty() ? sentence : path + ": " + sentence; }
};

// "trunk" and "heads" make "trunk.heads". Keys come from files: those that are no plain words are
// quoted.
std::string path_of(const std::string& parent, const std::string& key);
std::string path_of(const std::string& parent, std::size_t place);

// The first thing that validate() refuses.
std::optional<SpecProblem> find_problem(const NetSpec& spec);

}  // namespace aleph::nets
