// Our columns as DuckDB's vectors, both ways. Inside the data layer only: it includes DuckDB's
// header.
#pragma once

#include <duckdb.h>

#include <cstddef>
#include <utility>

#include "base/result.h"
#include "data/columns.h"

namespace aleph::data {

// Some rows on their way into DuckDB or out of it. Must be handed back.
class Chunk {
 public:
  explicit Chunk(duckdb_data_chunk chunk) : chunk_(chunk) {}
  Chunk(const Chunk&) = delete;
  Chunk& operator=(const Chunk&) = delete;
  ~Chunk() {
    if (chunk_ != nullptr) duckdb_destroy_data_chunk(&chunk_);
  }
  explicit operator bool() const { return chunk_ != nullptr; }
  duckdb_data_chunk get() const { return chunk_; }
  std::size_t rows() const { return duckdb_data_chunk_get_size(chunk_); }
  duckdb_vector column(std::size_t i) const { return duckdb_data_chunk_get_vector(chunk_, i); }

 private:
  duckdb_data_chunk chunk_;
};

class LogicalType {
 public:
  explicit LogicalType(duckdb_logical_type type) : type_(type) {}
  LogicalType(LogicalType&& other) noexcept : type_(std::exchange(other.type_, nullptr)) {}
  LogicalType& operator=(LogicalType&&) = delete;
  ~LogicalType() {
    if (type_ != nullptr) duckdb_destroy_logical_type(&type_);
  }
  duckdb_logical_type get() const { return type_; }

 private:
  duckdb_logical_type type_;
};

// How a kind of columns is called in SQL.
const char* sql_type_of(const Values& values);
LogicalType logical_type_of(const Values& values);

// Rows [first, first + count) of a column into a vector.
void fill_vector(const Column& column, std::size_t first, std::size_t count, duckdb_vector to);

// A block of a result as a table.
Result<Table> table_of(duckdb_result* result, const Chunk& chunk);

// Both tables are of the same query. False: a column changed its kind or width from block to block.
bool append(Table& all, const Table& more);

}  // namespace aleph::data
