// The words after "policy", and of what `aleph policy` is given: who is asked, and how much of the
// answer is shown.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "nets/encode/encoder.h"

namespace aleph::uci {

inline constexpr int kHighestElo = 5000;

struct PolicyRequest {
  std::size_t most_moves = 5;
  float temperature = 1;
  nets::GameContext context;
};

// "top N", "elo N", "clock SECONDS", "temperature T", in any order. The whole command or nothing:
// the error says which word is wrong.
Result<PolicyRequest> parse_policy(std::string_view arguments);

}  // namespace aleph::uci
