// Which openings the games of a dataset begin with, told from positions alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "chess/position.h"

namespace aleph::data {

struct OpeningCount {
  std::string line;  // "1. e4 c5 2. Nf3 d6"; a FEN where no game has the rows that tell the moves
  std::uint64_t games = 0;
};

// The opening of a game is its position after kPlies plies, or the first one behind it that has a
// row. Equal positions are one opening, whatever the order of moves; the first game gives the line.
class OpeningCounter {
 public:
  static constexpr int kPlies = 4;
  static constexpr std::size_t kMostKept = 200'000;

  explicit OpeningCounter(std::size_t most_kept = kMostKept) : most_kept_(most_kept) {}

  void begin_game();
  void add(const chess::Position& position);  // of the same game, in the order of its moves

  std::uint64_t games() const { return games_; }  // that came far enough
  // False: there were so many that rare ones have been forgotten; counts are too low by little.
  bool is_exact() const { return least_kept_ == 1; }
  std::vector<OpeningCount> most_frequent(std::size_t most) const;

 private:
  bool follow(std::uint64_t key);
  void count(const chess::Position& position);

  struct Entry {
    std::string text;
    std::uint64_t games = 0;
    bool is_line = false;
  };
  std::size_t most_kept_;
  std::uint64_t games_ = 0, least_kept_ = 1;
  std::unordered_map<std::uint64_t, Entry> entries_;

  const chess::Position start_;
  // Of the game: the moves so far, and where they lead. Meaningless if rows are missing.
  chess::Position reached_;
  std::string line_;
  bool line_known_ = true, counted_ = false;
};

}  // namespace aleph::data
