#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <type_traits>
#include <variant>

#include "data/columns.h"
#include "data/dataset/dataset.h"
#include "data/duckdb_session.h"

// What a finished dataset holds.
namespace aleph::test {

inline data::Dataset dataset_in(const std::filesystem::path& folder) {
  auto dataset = data::Dataset::open(folder);
  if (!dataset.ok()) FAIL(dataset.error());
  return dataset.take();
}

// All rows, in the order of the shards.
inline data::Table rows_in(const std::filesystem::path& folder) {
  auto session = data::DuckDbSession::open();
  REQUIRE(session.ok());
  auto duckdb = session.take();
  auto rows = duckdb.query("SELECT * FROM " + dataset_in(folder).sql_source());
  if (!rows.ok()) FAIL(rows.error());
  return rows.take();
}

// What stands where a row has no value means nothing: it is cleared.
inline data::Values values_without_missing(data::Column column, std::size_t rows) {
  std::visit(
      [&](auto& values) {
        using T = std::remove_reference_t<decltype(values)>;
        if constexpr (requires { typename T::value_type; })
          for (std::size_t row = 0; row < rows; ++row)
            if (column.is_missing(row)) values[row] = typename T::value_type();
      },
      column.values);
  return column.values;
}

inline bool same_rows(const data::Table& a, const data::Table& b) {
  if (a.columns.size() != b.columns.size() || a.rows() != b.rows()) return false;
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    const data::Column &left = a.columns[i], &right = b.columns[i];
    if (left.name != right.name ||
        values_without_missing(left, a.rows()) != values_without_missing(right, a.rows()))
      return false;
    for (std::size_t row = 0; row < a.rows(); ++row)
      if (left.is_missing(row) != right.is_missing(row)) return false;
  }
  return true;
}

}  // namespace aleph::test
