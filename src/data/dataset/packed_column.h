// Packed positions in a column of bytes.
#pragma once

#include <cstring>

#include "chess/packed_position.h"
#include "data/columns.h"

namespace aleph::data {

// The column `position` of a table; null if it is not there, or not of packed positions.
inline const FixedBytes* packed_column(const Table& table) {
  const auto* const column = table.values<FixedBytes>("position");
  return column != nullptr && column->width == chess::PackedPosition::kSize ? column : nullptr;
}

inline chess::PackedPosition packed_at(const FixedBytes& column, std::size_t row) {
  chess::PackedPosition packed;
  std::memcpy(packed.bytes.data(), column.bytes.data() + row * column.width, packed.bytes.size());
  return packed;
}

}  // namespace aleph::data
