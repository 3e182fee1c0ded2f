// The words after "go", as limits.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "chess/position.h"
#include "search/limits.h"

namespace aleph::uci {

struct GoRequest {
  search::Limits limits;
  std::optional<int> perft;  // count moves instead of searching
};

// Words that are not known are skipped; a number that is none, or an illegal move after
// searchmoves, refuses the command.
Result<GoRequest> parse_go(std::string_view arguments, const chess::Position& position);

}  // namespace aleph::uci
