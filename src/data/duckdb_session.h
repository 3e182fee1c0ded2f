// DuckDB, as far as we need it: SQL over Parquet files, and tables of ours written into them.
// Its header stays in the .cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "data/columns.h"

namespace aleph::data {

// A database in memory with one connection. Used by one thread.
class DuckDbSession {
 public:
  struct Options {
    int threads = 1;
    int memory_mib = 800;  // queries that need more spill to the system's folder for such files
  };
  static Result<DuckDbSession> open(Options options);
  static Result<DuckDbSession> open() { return open(Options()); }
  DuckDbSession(DuckDbSession&& other) noexcept;
  DuckDbSession& operator=(DuckDbSession&& other) noexcept;
  ~DuckDbSession();

  // Errors are DuckDB's first line.
  Status run(const std::string& sql);
  // All rows at once.
  Result<Table> query(const std::string& sql);
  // Block after block, some thousand rows each; false from the visitor ends it. A single statement.
  Status query(const std::string& sql, const std::function<bool(const Table&)>& visit);

  // A Parquet file with these rows in this order, compressed with zstd. The file is there whole or
  // not at all. The slow twin of write_parquet in data/parquet/parquet_writer.h, for tests.
  Status write_parquet(const Table& table, const std::filesystem::path& file);

 private:
  struct Handles;
  explicit DuckDbSession(std::unique_ptr<Handles> handles);
  std::unique_ptr<Handles> handles_;
};

// 'text' with its quotes doubled: a string in SQL.
std::string sql_text(std::string_view text);

}  // namespace aleph::data
