// Rows of a dataset out of games: one per move, in the columns of a schema.
// docs/4-data.md lists the columns.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "chess/packed_position.h"
#include "data/columns.h"
#include "data/dataset/build_settings.h"
#include "data/dataset/game_facts.h"
#include "data/game.h"
#include "nets/encode/from_to.h"

namespace aleph::data {

// A move of a game on its way into a row.
struct MoveInGame {
  const chess::Position& position;  // before the move
  const PgnMove& played;
  const GameFacts& facts;
  std::size_t ply;
  std::span<const nets::FromTo> latest;  // earlier moves, the latest first

  chess::Color mover() const { return position.side_to_move(); }
};

class RowWriter {
 public:
  virtual ~RowWriter() = default;
  // False: the schema wants something that this move does not have.
  virtual bool add(const MoveInGame& move) = 0;
  virtual Table take() = 0;  // all rows so far; then empty
};
std::unique_ptr<RowWriter> make_row_writer(const BuildSettings& settings);

// Equal for equal boards with equal moves; clocks and move numbers do not count.
std::uint64_t row_key(const chess::Position& position, chess::Move move);

// Keeps the rows whose mark is not 0.
Table keep_rows(Table table, const std::vector<std::uint8_t>& marks);

}  // namespace aleph::data
