#include "data/duckdb_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "base/overloaded.h"

namespace aleph::data {

namespace {

// How our kinds of columns are called in SQL and in the C interface.
struct ColumnKind {
  const char* sql;
  duckdb_type type;
  bool is_list = false;  // of `type`
};
ColumnKind kind_of(const Values& values) {
  return std::visit(Overloaded{
                        [](const Flags&) {
                          return ColumnKind{"BOOLEAN", DUCKDB_TYPE_BOOLEAN};
                        },
                        [](const std::vector<std::int8_t>&) {
                          return ColumnKind{"TINYINT", DUCKDB_TYPE_TINYINT};
                        },
                        [](const std::vector<std::int16_t>&) {
                          return ColumnKind{"SMALLINT", DUCKDB_TYPE_SMALLINT};
                        },
                        [](const std::vector<std::int32_t>&) {
                          return ColumnKind{"INTEGER", DUCKDB_TYPE_INTEGER};
                        },
                        [](const std::vector<std::int64_t>&) {
                          return ColumnKind{"BIGINT", DUCKDB_TYPE_BIGINT};
                        },
                        [](const std::vector<float>&) {
                          return ColumnKind{"FLOAT", DUCKDB_TYPE_FLOAT};
                        },
                        [](const std::vector<double>&) {
                          return ColumnKind{"DOUBLE", DUCKDB_TYPE_DOUBLE};
                        },
                        [](const std::vector<std::string>&) {
                          return ColumnKind{"VARCHAR", DUCKDB_TYPE_VARCHAR};
                        },
                        [](const FixedBytes&) {
                          return ColumnKind{"BLOB", DUCKDB_TYPE_BLOB};
                        },
                        [](const FixedNumbers&) {
                          return ColumnKind{"SMALLINT[]", DUCKDB_TYPE_SMALLINT, true};
                        },
                    },
                    values);
}
LogicalType as_logical(const ColumnKind& kind) {
  LogicalType plain(duckdb_create_logical_type(kind.type));
  if (!kind.is_list) return plain;
  return LogicalType(duckdb_create_list_type(plain.get()));
}

// Rows [first, first + count) of a column into a vector of DuckDB's.
void fill(const Values& values, std::size_t first, std::size_t count, duckdb_vector to) {
  const auto assign = [to](std::size_t row, const void* bytes, std::size_t size) {
    duckdb_vector_assign_string_element_len(to, row, static_cast<const char*>(bytes), size);
  };
  std::visit(Overloaded{
                 [&](const Flags& flags) {
                   std::memcpy(duckdb_vector_get_data(to), flags.values.data() + first, count);
                 },
                 [&](const std::vector<std::string>& texts) {
                   for (std::size_t i = 0; i < count; ++i)
                     assign(i, texts[first + i].data(), texts[first + i].size());
                 },
                 [&](const FixedBytes& fixed) {
                   for (std::size_t i = 0; i < count; ++i)
                     assign(i, fixed.bytes.data() + (first + i) * fixed.width, fixed.width);
                 },
                 [&](const FixedNumbers& fixed) {
                   auto* const entries =
                       static_cast<duckdb_list_entry*>(duckdb_vector_get_data(to));
                   for (std::size_t i = 0; i < count; ++i)
                     entries[i] = {i * fixed.width, fixed.width};
                   duckdb_list_vector_reserve(to, count * fixed.width);
                   duckdb_list_vector_set_size(to, count * fixed.width);
                   std::memcpy(duckdb_vector_get_data(duckdb_list_vector_get_child(to)),
                               fixed.numbers.data() + first * fixed.width,
                               count * fixed.width * sizeof(std::int16_t));
                 },
                 [&](const auto& numbers) {
                   std::memcpy(duckdb_vector_get_data(to), numbers.data() + first,
                               count * sizeof numbers.front());
                 },
             },
             values);
}

std::string_view text_of(duckdb_string_t& text) {
  return {duckdb_string_t_data(&text), duckdb_string_t_length(text)};
}

template <class T>
std::vector<T> numbers_of(duckdb_vector from, std::size_t count) {
  const auto* const data = static_cast<const T*>(duckdb_vector_get_data(from));
  return std::vector<T>(data, data + count);
}

// Texts and bytes of any length. Rows without a value are empty.
std::vector<std::string> texts_of(duckdb_vector from, std::size_t count) {
  auto* const data = static_cast<duckdb_string_t*>(duckdb_vector_get_data(from));
  std::uint64_t* const valid = duckdb_vector_get_validity(from);
  std::vector<std::string> texts(count);
  for (std::size_t i = 0; i < count; ++i)
    if (valid == nullptr || duckdb_validity_row_is_valid(valid, i)) texts[i] = text_of(data[i]);
  return texts;
}

// Bytes of one length become FixedBytes, others stay texts.
Values blobs_of(duckdb_vector from, std::size_t count) {
  auto* const data = static_cast<duckdb_string_t*>(duckdb_vector_get_data(from));
  std::uint64_t* const valid = duckdb_vector_get_validity(from);
  const auto has_width = [&](std::size_t i, std::size_t width) {
    return (valid == nullptr || duckdb_validity_row_is_valid(valid, i)) &&
           duckdb_string_t_length(data[i]) == width;
  };
  const std::size_t width = count == 0 ? 0 : duckdb_string_t_length(data[0]);
  FixedBytes fixed{width, {}};
  fixed.bytes.resize(count * width);
  for (std::size_t i = 0; i < count; ++i) {
    if (width == 0 || !has_width(i, width)) return texts_of(from, count);
    std::memcpy(fixed.bytes.data() + i * width, duckdb_string_t_data(&data[i]), width);
  }
  return fixed;
}

// Lists of small numbers, all of one length.
Result<Values> lists_of(duckdb_vector from, std::size_t count) {
  const auto* const entries = static_cast<const duckdb_list_entry*>(duckdb_vector_get_data(from));
  const auto* const numbers =
      static_cast<const std::int16_t*>(duckdb_vector_get_data(duckdb_list_vector_get_child(from)));
  FixedNumbers fixed{count == 0 ? 0 : entries[0].length, {}};
  fixed.numbers.reserve(count * fixed.width);
  for (std::size_t i = 0; i < count; ++i) {
    if (entries[i].length != fixed.width) return Error{"lists of different lengths"};
    const std::int16_t* const first = numbers + entries[i].offset;
    fixed.numbers.insert(fixed.numbers.end(), first, first + fixed.width);
  }
  return Values(std::move(fixed));
}

Result<Values> values_of(duckdb_type type, duckdb_vector from, std::size_t count) {
  switch (type) {
    case DUCKDB_TYPE_BOOLEAN: return Values(Flags{numbers_of<std::uint8_t>(from, count)});
    case DUCKDB_TYPE_TINYINT: return Values(numbers_of<std::int8_t>(from, count));
    case DUCKDB_TYPE_SMALLINT: return Values(numbers_of<std::int16_t>(from, count));
    case DUCKDB_TYPE_INTEGER: return Values(numbers_of<std::int32_t>(from, count));
    case DUCKDB_TYPE_BIGINT: return Values(numbers_of<std::int64_t>(from, count));
    case DUCKDB_TYPE_FLOAT: return Values(numbers_of<float>(from, count));
    case DUCKDB_TYPE_DOUBLE: return Values(numbers_of<double>(from, count));
    case DUCKDB_TYPE_VARCHAR: return Values(texts_of(from, count));
    case DUCKDB_TYPE_BLOB: return blobs_of(from, count);
    case DUCKDB_TYPE_LIST: return lists_of(from, count);
    default: return Error{"a type that Aleph does not read"};
  }
}

// Empty if every row has a value.
std::vector<std::uint8_t> missing_of(duckdb_vector from, std::size_t count) {
  std::uint64_t* const valid = duckdb_vector_get_validity(from);
  std::vector<std::uint8_t> missing;
  if (valid == nullptr) return missing;
  for (std::size_t row = 0; row < count; ++row) {
    if (duckdb_validity_row_is_valid(valid, row)) continue;
    missing.resize(count);
    missing[row] = 1;
  }
  return missing;
}

template <class T>
void append_to(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

const char* sql_type_of(const Values& values) { return kind_of(values).sql; }
LogicalType logical_type_of(const Values& values) { return as_logical(kind_of(values)); }

void fill_vector(const Column& column, std::size_t first, std::size_t count, duckdb_vector to) {
  fill(column.values, first, count, to);
  if (column.missing.empty()) return;
  duckdb_vector_ensure_validity_writable(to);
  std::uint64_t* const valid = duckdb_vector_get_validity(to);
  for (std::size_t i = 0; i < count; ++i)
    if (column.missing[first + i] != 0) duckdb_validity_set_row_invalid(valid, i);
}

Result<Table> table_of(duckdb_result* result, const Chunk& chunk) {
  Table table;
  for (idx_t i = 0; i < duckdb_column_count(result); ++i) {
    Column column;
    column.name = duckdb_column_name(result, i);
    const duckdb_vector from = chunk.column(i);
    auto values = values_of(duckdb_column_type(result, i), from, chunk.rows());
    if (!values.ok()) return Error{fmt::format("column {}: {}", column.name, values.error())};
    column.values = values.take();
    column.missing = missing_of(from, chunk.rows());
    table.columns.push_back(std::move(column));
  }
  return table;
}

bool append(Table& all, const Table& more) {
  const std::size_t before = all.rows(), added = more.rows();
  for (std::size_t i = 0; i < all.columns.size(); ++i) {
    Column& column = all.columns[i];
    const Column& block = more.columns[i];
    if (column.values.index() != block.values.index()) return false;
    if (!column.missing.empty() || !block.missing.empty()) {
      column.missing.resize(before);
      std::vector<std::uint8_t> missing = block.missing;
      missing.resize(added);
      append_to(column.missing, missing);
    }
    const bool same = std::visit(
        [&block](auto& values) {
          using T = std::remove_reference_t<decltype(values)>;
          const T& others = std::get<T>(block.values);
          if constexpr (std::is_same_v<T, Flags>) {
            append_to(values.values, others.values);
          } else if constexpr (std::is_same_v<T, FixedBytes>) {
            if (values.width != others.width) return false;
            append_to(values.bytes, others.bytes);
          } else if constexpr (std::is_same_v<T, FixedNumbers>) {
            if (values.width != others.width) return false;
            append_to(values.numbers, others.numbers);
          } else {
            append_to(values, others);
          }
          return true;
        },
        column.values);
    if (!same) return false;
  }
  return true;
}

}  // namespace aleph::data
