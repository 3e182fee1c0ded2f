#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "chess/move.h"
#include "chess/position.h"
#include "lab/match/settings.h"

// Where games begin: the positions of an EPD file, or the first moves of the games of a PGN file,
// plain or compressed.
namespace aleph::lab {

struct Opening {
  chess::Position start;           // has no history
  std::vector<chess::Move> moves;  // played before the engines take over
  std::string name;                // "line 17 of book.epd", for people
};

class OpeningBook {
 public:
  // Reads the file, puts it into its order (shuffled by the seed), and checks the openings that
  // `rounds` rounds need. The error names the file and the line or game.
  static Result<OpeningBook> load(const OpeningSettings& settings, std::uint64_t seed,
                                  bool chess960, int rounds);

  // The opening of a round, counted from 0. After the last one the first comes again.
  const Opening& opening(int round) const;
  std::size_t size() const { return size_; }  // openings in the file

 private:
  std::vector<Opening> openings_;  // those that are needed, in the order of rounds
  std::size_t size_ = 0;
};

}  // namespace aleph::lab
