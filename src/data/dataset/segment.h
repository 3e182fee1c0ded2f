// A few megabytes of PGN text turned into rows: the unit of work of a build, the same whoever does
// it and in whatever order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/columns.h"
#include "data/dataset/build_settings.h"
#include "data/dataset/rows.h"
#include "data/game_splitter.h"

namespace aleph::data {

// What became of games and moves. Every game and every move is counted once.
struct BuildCounts {
  std::uint64_t games = 0, bad_games = 0, wrong_pace = 0;
  std::uint64_t rows = 0, skipped_plies = 0, wrong_rating = 0, low_clock = 0;
  std::uint64_t no_data = 0;  // the schema needs a rating or an evaluation that is not there
  std::uint64_t duplicates = 0;

  BuildCounts& operator+=(const BuildCounts& other);
  friend bool operator==(const BuildCounts&, const BuildCounts&) = default;
};

struct SegmentRows {
  std::vector<Table> tables;                     // by split
  std::vector<std::vector<std::uint64_t>> keys;  // of each row, by split; only to find duplicates
  BuildCounts counts;
  std::vector<std::string> problems;  // the first bad games, a sentence each
};

class SegmentReader {
 public:
  SegmentReader(const BuildSettings& settings, std::string file);
  SegmentRows read(SectionSource& sections);

 private:
  void read_game(const Game& game, SegmentRows& rows);
  bool passes(const MoveInGame& move, BuildCounts& counts) const;
  std::size_t split_of(std::int64_t game_id) const;

  const BuildSettings& settings_;
  std::string file_;
  std::vector<std::unique_ptr<RowWriter>> writers_;  // by split
  GameFacts facts_;
  std::vector<nets::FromTo> latest_;
};

}  // namespace aleph::data
