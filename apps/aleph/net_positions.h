// Positions to ask dense networks about: those of a file, of the bench, and of games from them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "chess/position.h"
#include "eval/batch_evaluator.h"

namespace aleph::apps {

// Of lines of FEN or EPD, or of a table with FENs in its first column: those in which there is a
// move to choose. No path: those of the bench.
Result<std::vector<chess::Position>> read_positions(const std::string& path, std::size_t most);

// Games from given positions, as many side by side as are asked about at a time.
class NetGames {
 public:
  NetGames(std::vector<chess::Position> starts, std::size_t together, std::uint64_t seed)
      : starts_(std::move(starts)), together_(together), rng_(seed) {}

  // At most `together` positions, and at most `most`; they live until play().
  std::vector<eval::Leaf> leaves(std::size_t most);
  // Every game goes on, by a move as often as the network thinks it likely, and new ones begin
  // where others are over. play_on false: all are new ones.
  void play(std::span<const eval::LeafResult> results, bool play_on);

 private:
  struct Game {
    chess::Position position;
    int plies = 0;  // since its start
  };
  std::vector<chess::Position> starts_;
  std::size_t together_, next_ = 0;
  Rng rng_;
  std::vector<Game> games_;
  std::vector<chess::MoveList> moves_;
};

}  // namespace aleph::apps
