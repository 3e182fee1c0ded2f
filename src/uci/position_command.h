// The words after "position": startpos or a FEN, and moves.
#pragma once

#include <string_view>

#include "base/result.h"
#include "chess/position.h"

namespace aleph::uci {

// The whole command or nothing: the error says which word is wrong.
Result<chess::Position> parse_position(std::string_view arguments, bool chess960);

}  // namespace aleph::uci
