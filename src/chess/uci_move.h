// Moves as UCI writes them: e2e4, e7e8q, castling e1g1 (or e1h1, king takes rook, in Chess960).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "chess/move.h"

namespace aleph::chess {

class Position;

std::string square_name(Square square);                     // "e4"
std::optional<Square> parse_square(std::string_view name);  // exactly two letters

// Castling is written king takes rook if the position is Chess960. "0000" for Move().
std::string to_uci(Move move, const Position& position);

// Accepts both ways of writing castling in any position; promotion letters of either case.
// The move must be legal; the error quotes the text and says why it is not.
Result<Move> parse_uci_move(std::string_view text, const Position& position);

}  // namespace aleph::chess
