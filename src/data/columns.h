// Rows by columns, as they go into Parquet files and come out of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace aleph::data {

// One byte per row, 0 or 1. Not vector<bool>: columns are copied as memory.
struct Flags {
  std::vector<std::uint8_t> values;
  friend bool operator==(const Flags&, const Flags&) = default;
};
// The same number of bytes in every row, one behind the other.
struct FixedBytes {
  std::size_t width = 0;
  std::vector<std::uint8_t> bytes;
  friend bool operator==(const FixedBytes&, const FixedBytes&) = default;
};
// The same number of small numbers in every row: a list in the file.
struct FixedNumbers {
  std::size_t width = 0;
  std::vector<std::int16_t> numbers;
  friend bool operator==(const FixedNumbers&, const FixedNumbers&) = default;
};

using Values =
    std::variant<Flags, std::vector<std::int8_t>, std::vector<std::int16_t>,
                 std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<float>,
                 std::vector<double>, std::vector<std::string>, FixedBytes, FixedNumbers>;

std::size_t row_count(const Values& values);

struct Column {
  std::string name;
  Values values;
  // 1 where a row has no value; what stands in `values` there means nothing. Empty: all have one.
  std::vector<std::uint8_t> missing;

  bool is_missing(std::size_t row) const { return !missing.empty() && missing[row] != 0; }
};

struct Table {
  std::vector<Column> columns;

  std::size_t rows() const { return columns.empty() ? 0 : row_count(columns.front().values); }
  // Null if there is no column of this name.
  const Column* find(std::string_view name) const;
  // The values of a column that is known to be there and to have this type; null otherwise.
  template <class T>
  const T* values(std::string_view name) const {
    const Column* const column = find(name);
    return column == nullptr ? nullptr : std::get_if<T>(&column->values);
  }
};

}  // namespace aleph::data
