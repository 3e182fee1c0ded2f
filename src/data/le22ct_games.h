// Games as LE22ct rows: which games, which of their moves, and what was lost on the way.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/game.h"
#include "data/le22ct.h"

namespace aleph::data {

struct Le22ctSelection {
  bool only_checkmates = false;  // games that end in mate on the board
  bool only_winner = false;      // moves of the side that won; none of games that nobody won
  int min_elo = 0;               // of both players; games without both ratings do not have it
  Le22ctCoding coding = Le22ctCoding::Standard;
};

class Le22ctGames {
 public:
  explicit Le22ctGames(const Le22ctSelection& selection) : selection_(selection) {}

  // A row for each selected move, none if the game is not selected. The game's moves are legal.
  // Valid until the next call.
  std::span<const Le22ctRow> rows_of(const Game& game);

  // So far, over all games.
  struct Tally {
    std::uint64_t games = 0, selected_games = 0, rows = 0;
    std::uint64_t underpromotions = 0;  // rows that will be read as promotions to a queen
    std::uint64_t chess960 = 0;         // positions without a row, because rows cannot tell them
  };
  const Tally& tally() const { return tally_; }

 private:
  bool is_wanted(const Game& game) const;
  void add_row(const chess::Position& position, chess::Move move, Tally& counted);

  Le22ctSelection selection_;
  Tally tally_;
  std::vector<Le22ctRow> rows_;
};

}  // namespace aleph::data
