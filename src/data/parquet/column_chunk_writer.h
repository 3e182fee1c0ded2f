// The rows of a row group, column by column.
#pragma once

#include "data/columns.h"
#include "data/parquet/byte_buffer.h"
#include "data/parquet/column_levels.h"
#include "data/parquet/page_writer.h"

namespace aleph::data::parquet {

class ColumnChunkWriter {
 public:
  explicit ColumnChunkWriter(ByteBuffer& file) : pages_(file) {}  // which must outlive it

  ColumnChunk write(const Column& column, RowRange rows);

 private:
  PageWriter pages_;
};

}  // namespace aleph::data::parquet
