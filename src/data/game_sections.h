#pragma once

#include <cstdint>

#include "data/game.h"
#include "data/game_parser.h"
#include "data/game_splitter.h"

// The sections of a stream that hold a game: what an index counts and what its numbers mean.
//
// PgnReader finds a game in each of them and none outside. Its numbers are the same, unless a
// section holds several games: these are one here, and that many there. It happens where games
// have no tags or stand on one line, and where a second Event tag follows tags without moves.
namespace aleph::data {

class GameSections final : public SectionSource {
 public:
  // The stream must outlive it.
  explicit GameSections(ByteStream& stream);
  bool next(Section& section) override;

  // Of the stream, up to the end of the last section; at the end, all bytes.
  std::uint64_t bytes_seen() const { return bytes_seen_; }

 private:
  bool holds_game(const Section& section);

  GameSplitter splitter_;
  GameParser parser_;
  Game game_;  // parsed only to see whether it is there
  std::uint64_t bytes_seen_ = 0;
};

}  // namespace aleph::data
