// One row of a dataset as numbers of Samples.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "chess/position.h"
#include "data/columns.h"
#include "data/dataset/dataset.h"
#include "nets/encode/encoder.h"
#include "nets/encode/move_map.h"
#include "nets/spec/net_spec.h"
#include "train/samples.h"

namespace aleph::train {

class SampleEncoder {
 public:
  // Fails with one sentence if rows like these cannot teach this network.
  static Result<SampleEncoder> make(const data::Dataset& dataset, const nets::NetSpec& spec,
                                    bool keep_positions = false);

  // What is read of a dataset; empty: all columns, since schema score does not fix them.
  std::vector<std::string> columns() const;
  // Refuses a table without a column that is needed.
  Status check(const data::Table& table) const;
  // False for rows that cannot be learned from: a network with a policy needs a move.
  bool is_usable(const data::Table& table, std::size_t row) const;
  // Fails if the row is not chess.
  Status append(const data::Table& table, std::size_t row, Samples& samples) const;

 private:
  SampleEncoder(const data::Dataset& dataset, nets::InputEncoder input)
      : schema_(dataset.schema), normalization_(dataset.normalization), input_(input) {}
  Result<chess::Move> played(const data::Table& table, std::size_t row,
                             const chess::Position& position) const;
  void append_input(const data::Table& table, std::size_t row, const chess::Position& position,
                    Samples& samples) const;
  void append_move(const chess::Position& position, chess::Move move, Samples& samples) const;
  void append_outcome(const data::Table& table, std::size_t row, Samples& samples) const;

  data::Schema schema_;
  nets::Normalization normalization_;  // of the rows
  nets::InputEncoder input_;
  bool keep_positions_ = false;
  std::optional<nets::MoveMap> policy_;  // of the first policy head, if there is one
};

// The probability of winning plus half of that of a draw, by centipawns: the usual scale of Elo.
double expected_score(int centipawns);

}  // namespace aleph::train
