// What the positions of a dataset are like: the part of its statistics that SQL cannot see.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "data/columns.h"
#include "data/dataset/build_settings.h"
#include "data/dataset/key_sample.h"
#include "data/dataset/opening_counter.h"
#include "nets/encode/from_to.h"

namespace aleph::data {

// How many rows have a value, by value.
using Histogram = std::map<std::int64_t, std::uint64_t>;

// Exact, or estimated from a sample.
struct Estimate {
  std::uint64_t count = 0;
  bool is_exact = true;
};

struct PositionCounts {
  std::uint64_t unreadable = 0;  // rows whose position is none; they are in no other count
  Histogram pieces;              // by their number, kings and pawns included
  Histogram plies;               // by the ply of the row's game, the first being 0
  std::uint64_t white_to_move = 0, in_check = 0;
  // By who may still castle: nobody, only the side to move, only the other one, both.
  std::array<std::uint64_t, 4> castling_rights{};

  // Of the moves that were played. The schema "score" has none.
  std::array<std::uint64_t, nets::kPromotions> promotions{};  // by nets::promotion_id
  std::array<std::uint64_t, 2> castlings{};                   // by chess::CastlingSide

  std::uint64_t games = 0;                      // that have rows
  std::array<std::uint64_t, 4> game_results{};  // White won, a draw, Black won, not known
  Estimate repeated_games;  // with the players, the date and the moves of an earlier one
  Estimate duplicates;      // rows with the position and the move of an earlier one

  std::vector<OpeningCount> openings;  // the most frequent ones, the first of them first
  Estimate opening_games;              // that came as far as OpeningCounter wants
};

class PositionStats {
 public:
  PositionStats(Schema schema, nets::Normalization normalization)
      : schema_(schema), normalization_(normalization) {}

  // What add() wants to see, as a list in SQL.
  std::string columns() const;
  // No game goes on from one shard to the next.
  void begin_shard() { game_.reset(); }
  // Blocks of a shard, in their order.
  Status add(const Table& block);
  PositionCounts counts() const;

 private:
  struct Block;
  void add_row(const Block& block, std::size_t row);
  void add_board(const chess::Position& position);
  // A number that no other move of the position has.
  std::uint64_t add_move(const Block& block, std::size_t row, const chess::Position& position);
  void add_game(const Block& block, std::size_t row, const chess::Position& position);

  Schema schema_;
  nets::Normalization normalization_;
  PositionCounts counts_;
  KeySample rows_, games_;
  OpeningCounter openings_;
  std::optional<std::int64_t> game_;  // the one that the last row was of
  int game_ply_ = 0;                  // of its last row
};

}  // namespace aleph::data
