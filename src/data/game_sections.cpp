#include "data/game_sections.h"

#include "data/pgn_options.h"

namespace aleph::data {

GameSections::GameSections(ByteStream& stream)
    : splitter_(stream), parser_(ReadOptions{.read_commands = false}) {}

// A section that begins with a tag always holds a game, be it a bad one, and one that is too long
// counts as a bad game. What remains is rare: remarks before the first tag, and games without tags.
// Those are parsed up to the first game.
bool GameSections::holds_game(const Section& section) {
  if (section.too_long() || begins_with_tag(section.text)) return true;
  const char* at = section.text.data();
  const char* const end = at + section.text.size();
  while (at != end)
    if (parser_.parse(at, end, game_) != GameParser::Outcome::None) return true;
  return false;
}

bool GameSections::next(Section& section) {
  while (splitter_.next(section)) {
    bytes_seen_ = section.offset + section.bytes;
    if (holds_game(section)) return true;
  }
  return false;
}

}  // namespace aleph::data
