#include "data/dataset/row_cursor.h"

#include <fmt/format.h>

namespace aleph::data {

Result<RowCursor> RowCursor::open(const Dataset& dataset, std::string_view split,
                                  const std::vector<std::string>& columns) {
  if (!split.empty() && dataset.find(split) == nullptr)
    return Error{fmt::format("{} has no split {}", dataset.path.string(), split)};
  auto session = DuckDbSession::open();
  if (!session.ok()) return Error{session.error()};
  RowCursor cursor(session.take(), fmt::format("COLUMNS('^({})$')", fmt::join(columns, "|")));
  for (const DatasetSplit& part : dataset.splits) {
    if (!split.empty() && part.name != split) continue;
    cursor.shards_.insert(cursor.shards_.end(), part.shards.begin(), part.shards.end());
    cursor.rows_ += part.rows();
  }
  return cursor;
}

bool RowCursor::next() {
  if (problem_) return false;
  if (row_ + 1 < table_.rows()) {
    ++row_, ++passed_;
    return true;
  }
  while (next_shard_ < shards_.size()) {
    const std::string file = shards_[next_shard_++].file.string();
    auto table = session_.query(fmt::format(
        "SELECT {} FROM read_parquet({}, hive_partitioning = false)", columns_, sql_text(file)));
    if (!table.ok()) {
      problem_ = fmt::format("{}: {}", file, table.error());
      return false;
    }
    table_ = table.take();
    if (table_.rows() == 0) continue;
    row_ = 0, ++passed_;
    return true;
  }
  table_ = {};
  return false;
}

std::string RowCursor::place() const {
  return fmt::format("{}, row {}", shards_[next_shard_ - 1].file.filename().string(), row_);
}

}  // namespace aleph::data
