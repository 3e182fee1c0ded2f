// Rows of the schema "score" as the laboratory makes them; docs/4-data.md lists the columns.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "chess/move.h"
#include "chess/packed_position.h"
#include "data/columns.h"
#include "lab/uci_info.h"

namespace aleph::lab {

// Centipawns for the side to move, within 30,000; mates are 32,000 less the moves to them.
std::int16_t score_number(const UciScore& score);

class ScoreRows {
 public:
  // So many scores in every row.
  explicit ScoreRows(std::size_t scores) : depths_{scores, {}}, scores_{scores, {}} {}

  // outcome: 1, 0 or -1 for the side to move. A move that is not known is Move().
  void add(const chess::PackedPosition& position, std::span<const std::int16_t> depths,
           std::span<const std::int16_t> scores, std::optional<int> outcome, chess::Move move);
  data::Table take();  // position, depths, scores, outcome, move

 private:
  data::FixedBytes positions_{chess::PackedPosition::kSize, {}};
  data::FixedNumbers depths_, scores_;
  std::vector<std::int8_t> outcomes_;
  std::vector<std::int32_t> moves_;
  std::vector<std::uint8_t> no_outcome_, no_move_;
};

}  // namespace aleph::lab
