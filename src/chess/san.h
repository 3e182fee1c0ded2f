// Standard algebraic notation, both ways.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "chess/move.h"

namespace aleph::chess {

class Position;

// "Nbd2", "exd6", "e8=Q+", "O-O-O#": shortest unambiguous form, with check and mate marks.
// The move must be legal; Move() gives "--".
std::string to_san(Move move, const Position& position);

// Reads strict SAN and what people write instead: missing or extra x, =, + and # marks, "0-0",
// "e8Q", "e8(Q)", long algebraic "Ng1-f3" and "e2e4", "e.p.", trailing "!?" signs.
// Looks only at pieces that could go to the target; does not generate all moves.
// The error quotes the text and says: not a move, no such piece, illegal, ambiguous.
Result<Move> parse_san(std::string_view text, const Position& position);

// The same without the words, for readers of whole databases: Move() if there is no such move, and
// then parse_san tells why.
Move find_san_move(std::string_view text, const Position& position);

// Whether this is one of the ways to write that a side passes: "--", "Z0", "@@@@", ...
// No such move is legal, so parse_san refuses it.
bool is_null_san(std::string_view text);

}  // namespace aleph::chess
