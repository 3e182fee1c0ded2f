// Columns that grow row by row, until a table takes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chess/packed_position.h"
#include "data/columns.h"

namespace aleph::data {

// What has grown. The next table will be about as long: room is made at once, since growing there
// step by step would copy every row twice.
template <class T>
std::vector<T> taken(std::vector<T>& values) {
  std::vector<T> next;
  next.reserve(values.size() + values.size() / 8);
  return std::exchange(values, std::move(next));
}

// A column some of whose rows have no value.
template <class T>
struct Nullable {
  std::vector<T> values;
  std::vector<std::uint8_t> missing;  // empty until the first

  template <class U>
  void add(const std::optional<U>& value) {
    values.push_back(value ? static_cast<T>(*value) : T{});
    if (value && missing.empty()) return;
    missing.resize(values.size());
    missing.back() = !value;
  }
  Column take(std::string name) {
    return {std::move(name), taken(values), std::exchange(missing, {})};
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
  return {std::move(name), taken(values), {}};
}
inline Column take_fixed(std::string name, FixedBytes& fixed) {
  return {std::move(name), FixedBytes{fixed.width, taken(fixed.bytes)}, {}};
}
inline Column take_fixed(std::string name, FixedNumbers& fixed) {
  return {std::move(name), FixedNumbers{fixed.width, taken(fixed.numbers)}, {}};
}

}  // namespace aleph::data
