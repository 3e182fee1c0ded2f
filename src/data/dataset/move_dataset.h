// Positions with the moves that were played in them, as rows of a dataset, both ways: the road
// between datasets and LE22ct.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "data/dataset/dataset_writer.h"
#include "data/dataset/growing_columns.h"
#include "data/dataset/row_cursor.h"
#include "data/formats/scored_reader.h"
#include "data/le22ct.h"

namespace aleph::data {

// Rows of the schema "policy" of which only position and move are known: score, ratings, result and
// ply are missing, and game_id is the number of the row.
class MoveDatasetWriter {
 public:
  static Result<MoveDatasetWriter> open(const std::filesystem::path& folder, DatasetOrigin origin);

  // The move must be legal.
  Status add(const chess::Position& position, chess::Move move);
  // The dataset appears. Counts and problems as for DatasetWriter.
  Status close(std::map<std::string, std::uint64_t> counts,
               const std::vector<std::string>& problems);

 private:
  explicit MoveDatasetWriter(DatasetWriter writer) : writer_(std::move(writer)) {}
  Status write_shard();

  DatasetWriter writer_;
  // Rows of the next shard:
  FixedBytes position_ = empty_packed_column();
  std::vector<std::int32_t> move_;
};

// Rows of the schemas "policy" and "human". Every move that is handed out is legal; rows with
// others are counted and passed over.
class MoveDatasetReader {
 public:
  // Without the name of a split, all are read. Fails if the rows are of another schema.
  static Result<MoveDatasetReader> open(const std::filesystem::path& folder,
                                        std::string_view split);

  // False at the end; then `out` is as it was.
  bool next(PositionAndMove& out);

  const RecordTally& tally() const { return tally_; }
  // Why the rows ended early: asked at the end.
  const std::optional<std::string>& problem() const { return cursor_.problem(); }
  std::uint64_t rows() const { return cursor_.rows(); }
  std::uint64_t rows_read() const { return cursor_.rows_passed(); }

 private:
  // The columns of the cursor's table: a move, or the numbers of one.
  struct Columns {
    const FixedBytes* position;
    const std::vector<std::int32_t>* move;
    const std::vector<std::int16_t>* move_id;
    const std::vector<std::int8_t>* promo_id;
    static std::optional<Columns> of(const Table& table);
  };

  MoveDatasetReader(RowCursor cursor, nets::Normalization normalization)
      : cursor_(std::move(cursor)), normalization_(normalization) {}
  bool step();
  Result<PositionAndMove> move_at(std::size_t row) const;

  RowCursor cursor_;
  nets::Normalization normalization_;
  std::optional<Columns> columns_;
  RecordTally tally_;
};

}  // namespace aleph::data
