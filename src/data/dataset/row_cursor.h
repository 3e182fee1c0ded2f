// The rows of a dataset one after the other, in their order: a shard is in memory at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "data/columns.h"
#include "data/dataset/dataset.h"
#include "data/duckdb_session.h"

namespace aleph::data {

class RowCursor {
 public:
  // Of the columns, those that are there are read. Without the name of a split, all are. Fails if
  // there is no such split.
  static Result<RowCursor> open(const Dataset& dataset, std::string_view split,
                                const std::vector<std::string>& columns);

  // Goes to the next row, at the beginning to the first. False at the end, or if the rows end
  // early.
  bool next();
  // Why they ended early, with the file's name, or nothing.
  const std::optional<std::string>& problem() const { return problem_; }
  // Makes them end here, since the table is not what it should be.
  void refuse(const std::string& reason) { problem_ = place() + ": " + reason; }
  // Where it is. Row 0 is the first of a new table.
  const Table& table() const { return table_; }
  std::size_t row() const { return row_; }
  std::string place() const;  // "train-00012.parquet, row 17"

  std::uint64_t rows() const { return rows_; }           // of all shards
  std::uint64_t rows_passed() const { return passed_; }  // so far

 private:
  RowCursor(DuckDbSession session, std::string columns)
      : session_(std::move(session)), columns_(std::move(columns)) {}

  DuckDbSession session_;
  std::string columns_;  // as SQL
  std::vector<Shard> shards_;
  std::size_t next_shard_ = 0;
  Table table_;
  std::size_t row_ = 0;
  std::uint64_t rows_ = 0, passed_ = 0;
  std::optional<std::string> problem_;
};

}  // namespace aleph::data
