#pragma once

#include <string>

#include "data/game.h"

// Games as PGN text, in the layout of the standard's export format: a tag a line, moves in lines of
// at most 80 characters, a blank line after each part. What PgnReader reads back, keeping
// everything, is the same game.
namespace aleph::data {

// Tags are written in the order they have; FEN and SetUp are added if the game needs and lacks
// them. The moves must be legal. Comments may not hold control characters; runs of space become one
// blank.
void append_pgn(const Game& game, std::string& out);
std::string to_pgn(const Game& game);

}  // namespace aleph::data
