#include "data/parquet/parquet_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string_view>

#include "data/parquet/column_chunk_writer.h"
#include "data/utf8.h"

namespace aleph::data {

namespace {

constexpr std::size_t kRowGroup = 24'576;  // rows that are decompressed together
constexpr std::string_view kMagic = "PAR1";

// Readers refuse a whole file for one bad text.
Status check_texts(const Table& table) {
  for (const Column& column : table.columns) {
    const auto* const texts = std::get_if<std::vector<std::string>>(&column.values);
    if (texts == nullptr) continue;
    for (std::size_t row = 0; row < texts->size(); ++row)
      if (!column.is_missing(row) && !is_utf8((*texts)[row]))
        return Error{fmt::format("the text of {} in row {} is not UTF-8", column.name, row)};
  }
  return Status::success();
}

parquet::ByteBuffer parquet_bytes(const Table& table) {
  parquet::ByteBuffer file;
  file.append(kMagic.data(), kMagic.size());
  std::vector<parquet::RowGroup> groups;
  parquet::ColumnChunkWriter writer(file);
  for (std::size_t first = 0; first < table.rows(); first += kRowGroup) {
    const parquet::RowRange rows{first, std::min(kRowGroup, table.rows() - first)};
    groups.push_back({rows.count, {}});
    for (const Column& column : table.columns)
      groups.back().columns.push_back(writer.write(column, rows));
  }
  const std::size_t footer = file.size();
  append_footer(file, table, groups);
  const auto length = static_cast<std::uint32_t>(file.size() - footer);
  file.append(&length, sizeof length);
  file.append(kMagic.data(), kMagic.size());
  return file;
}

}  // namespace

Status write_parquet(const Table& table, const std::filesystem::path& file, Flush flush) {
  assert(!table.columns.empty());
  for ([[maybe_unused]] const Column& column : table.columns) {
    assert(row_count(column.values) == table.rows());
    assert(column.missing.empty() || column.missing.size() == table.rows());
  }
  if (Status status = check_texts(table); !status.ok())
    return Error{fmt::format("cannot write {}: {}", file.string(), status.error())};
  return write_file(file, parquet_bytes(table).bytes(), flush);
}

}  // namespace aleph::data
