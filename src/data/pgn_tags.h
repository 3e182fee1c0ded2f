#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "data/game.h"

// The tag pairs before the moves: [Name "value"].
namespace aleph::data {

// Reads the tag pair that begins at `at`, which points to its '[', adds it to game and moves `at`
// behind it. A tag never goes beyond its line. Returns what was wrong with it, in a sentence, or an
// empty string; even then as much of it as made sense is added.
std::string read_tag(const char*& at, const char* end, Game& game);

// Where the game starts, by its FEN and Variant tags. The error is a sentence about the tag.
Result<chess::Position> position_from_tags(const Game& game);
bool is_position_tag(std::string_view name);

}  // namespace aleph::data
