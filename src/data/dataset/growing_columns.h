// Columns that grow row by row, until a table takes them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chess/packed_position.h"
#include "data/columns.h"

namespace aleph::data {

// A column some of whose rows have no value.
template <class T>
struct Nullable {
  std::vector<T> values;
  std::vector<std::uint8_t> missing;

  template <class U>
  void add(const std::optional<U>& value) {
    values.push_back(value ? static_cast<T>(*value) : T{});
    missing.push_back(!value);
  }
  Column take(std::string name) {
    const bool some = std::ranges::any_of(missing, [](std::uint8_t m) { return m != 0; });
    Column column{std::move(name), std::exchange(values, {}), {}};
    if (some) column.missing = std::move(missing);
    missing.clear();
    return column;
  }
};

// A column of this type without any value.
template <class T>
Column missing_column(std::string name, std::size_t rows) {
  return {std::move(name), std::vector<T>(rows), std::vector<std::uint8_t>(rows, 1)};
}

inline FixedBytes empty_packed_column() { return {chess::PackedPosition::kSize, {}}; }

inline void add_packed(FixedBytes& column, const chess::Position& position) {
  const chess::PackedPosition packed = chess::pack(position);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(packed.bytes.data());
  column.bytes.insert(column.bytes.end(), bytes, bytes + packed.bytes.size());
}

template <class T>
Column take_column(std::string name, std::vector<T>& values) {
  return {std::move(name), std::exchange(values, {}), {}};
}
template <class Fixed>
Column take_fixed(std::string name, Fixed& fixed) {
  Fixed empty{fixed.width, {}};
  return {std::move(name), std::exchange(fixed, std::move(empty)), {}};
}

}  // namespace aleph::data
