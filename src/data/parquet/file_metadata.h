// What a Parquet file says about itself: the heads of its pages, and its footer.
// Names and numbers are those of parquet.thrift in the format's repository.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/columns.h"
#include "data/parquet/byte_buffer.h"

namespace aleph::data::parquet {

enum class Encoding : std::int32_t { Plain = 0, Rle = 3, RleDictionary = 8 };

struct PageSizes {
  std::size_t values = 0;  // with the missing ones
  std::size_t bytes = 0, compressed_bytes = 0;
};
void append_data_page_header(ByteBuffer& out, const PageSizes& sizes, Encoding encoding);
void append_dictionary_page_header(ByteBuffer& out, const PageSizes& sizes);

// The smallest and the largest value, as plain bytes.
struct Bounds {
  std::string low, high;
};

// Where the pages of one column in one row group are.
struct ColumnChunk {
  Encoding encoding = Encoding::Plain;
  std::size_t values = 0, missing = 0;
  std::size_t bytes = 0, compressed_bytes = 0;  // with the heads of the pages
  std::optional<std::size_t> dictionary_at;
  std::size_t data_at = 0;
  std::optional<Bounds> bounds;

  std::size_t begin() const { return dictionary_at.value_or(data_at); }
};

struct RowGroup {
  std::size_t rows = 0;
  std::vector<ColumnChunk> columns;
};

void append_footer(ByteBuffer& out, const Table& table, const std::vector<RowGroup>& groups);

}  // namespace aleph::data::parquet
