// Scored positions as rows of the schema "score", both ways: the road between datasets and the
// formats of trainers (data/formats).
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
#include "data/scored_position.h"

namespace aleph::data {

// A row for each position, with one score of depth 0, which means "not told". The formats know no
// games: game_id is the number of the row.
class ScoredDatasetWriter {
 public:
  static Result<ScoredDatasetWriter> open(const std::filesystem::path& folder,
                                          DatasetOrigin origin);

  // Says what a row cannot hold of a position, which is then left out: a score beyond 16 bits.
  Status add(const ScoredPosition& scored);
  // Writing has failed (the disk is full): there is no use in adding more. close() says why.
  bool failed() const { return !written_.ok(); }
  // The dataset appears. Counts and problems as for DatasetWriter.
  Status close(std::map<std::string, std::uint64_t> counts,
               const std::vector<std::string>& problems);

 private:
  explicit ScoredDatasetWriter(DatasetWriter writer) : writer_(std::move(writer)) {}
  void write_shard();

  DatasetWriter writer_;
  Status written_ = Status::success();
  // Rows of the next shard:
  FixedBytes position_ = empty_packed_column();
  FixedNumbers depths_{1, {}}, scores_{1, {}};
  Nullable<std::int8_t> outcome_;
  Nullable<std::int32_t> move_;
  Nullable<std::int16_t> ply_;
  std::vector<std::int64_t> game_id_;
};

// Of several scores the last one, the deepest. Move and ply are not known where there is no such
// column. Every position that is handed out is legal, and so is its move; other rows are counted
// and passed over.
class ScoredDatasetReader {
 public:
  // Without the name of a split, all are read. Fails if the rows are of another schema.
  static Result<ScoredDatasetReader> open(const std::filesystem::path& folder,
                                          std::string_view split);

  // False at the end; then `out` is as it was.
  bool next(ScoredPosition& out);

  const RecordTally& tally() const { return tally_; }
  // Why the rows ended early: asked at the end.
  const std::optional<std::string>& problem() const { return cursor_.problem(); }
  std::uint64_t rows() const { return cursor_.rows(); }
  std::uint64_t rows_read() const { return cursor_.rows_passed(); }

 private:
  // The columns of the cursor's table. Those that may not be there are null.
  struct Columns {
    const FixedBytes* position;
    const FixedNumbers* scores;
    const Column *outcome, *move, *ply;
    static std::optional<Columns> of(const Table& table);
  };

  explicit ScoredDatasetReader(RowCursor cursor) : cursor_(std::move(cursor)) {}
  bool step();
  Result<ScoredPosition> scored_at(std::size_t row) const;

  RowCursor cursor_;
  std::optional<Columns> columns_;
  RecordTally tally_;
};

}  // namespace aleph::data
