// Where values begin and where they are missing: the levels at the front of every data page.
#pragma once

#include <cstddef>

#include "data/columns.h"
#include "data/parquet/byte_buffer.h"

namespace aleph::data::parquet {

struct RowRange {
  std::size_t first = 0, count = 0;
};

// How many elements a row has in memory: numbers of a list, bytes of bytes. For the file, bytes are
// one value, and lists of one number are lists too.
struct RowShape {
  std::size_t width = 1;
  bool is_list = false;

  std::size_t values() const { return is_list ? width : 1; }
};

std::size_t count_missing(const Column& column, RowRange rows);

// Appends the levels of these rows and returns how many there are: one for every value, and one
// for every missing row.
std::size_t append_levels(ByteBuffer& page, const Column& column, RowRange rows, RowShape shape);

}  // namespace aleph::data::parquet
