#include "data/duckdb_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <system_error>

#include "data/duckdb_columns.h"

namespace aleph::data {

namespace fs = std::filesystem;

namespace {

constexpr const char* kScratchTable = "rows_to_write";
constexpr int kCompressionLevel = 3;
constexpr int kRowGroup = 24'576;  // rows that are decompressed together: a multiple of 2,048

std::string first_line(const char* message) {
  const std::string text = message == nullptr ? "no reason was given" : message;
  return text.substr(0, text.find('\n'));
}

// Results and the like must be handed back to DuckDB.
class QueryResult {
 public:
  QueryResult() = default;
  QueryResult(const QueryResult&) = delete;
  QueryResult& operator=(const QueryResult&) = delete;
  ~QueryResult() { duckdb_destroy_result(&result_); }
  duckdb_result* get() { return &result_; }

 private:
  duckdb_result result_{};
};

class Statement {
 public:
  Statement(duckdb_connection connection, const std::string& sql) {
    is_good_ = duckdb_prepare(connection, sql.c_str(), &statement_) == DuckDBSuccess;
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { duckdb_destroy_prepare(&statement_); }

  // Rows are made when they are asked for, instead of all of them being kept.
  Status start(QueryResult& result) {
    if (!is_good_) return Error{"DuckDB: " + first_line(duckdb_prepare_error(statement_))};
    if (duckdb_execute_prepared_streaming(statement_, result.get()) == DuckDBSuccess)
      return Status::success();
    return Error{"DuckDB: " + first_line(duckdb_result_error(result.get()))};
  }

 private:
  duckdb_prepared_statement statement_ = nullptr;
  bool is_good_ = false;
};

class Appender {
 public:
  Appender(duckdb_connection connection, const char* table) {
    created_ = duckdb_appender_create(connection, nullptr, table, &appender_) == DuckDBSuccess;
  }
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;
  ~Appender() { duckdb_appender_destroy(&appender_); }

  Status add(const Chunk& chunk) {
    if (created_ && duckdb_append_data_chunk(appender_, chunk.get()) == DuckDBSuccess)
      return Status::success();
    return problem();
  }
  Status close() {
    return duckdb_appender_close(appender_) == DuckDBSuccess ? Status::success() : problem();
  }

 private:
  Error problem() { return Error{"DuckDB: " + first_line(duckdb_appender_error(appender_))}; }
  duckdb_appender appender_ = nullptr;
  bool created_ = false;
};

std::string create_statement(const Table& table) {
  std::string columns;
  for (const Column& column : table.columns)
    columns += fmt::format("{}\"{}\" {}", columns.empty() ? "" : ", ", column.name,
                           sql_type_of(column.values));
  return fmt::format("CREATE OR REPLACE TABLE {} ({})", kScratchTable, columns);
}

}  // namespace

struct DuckDbSession::Handles {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  ~Handles() {
    if (connection != nullptr) duckdb_disconnect(&connection);
    if (database != nullptr) duckdb_close(&database);
  }

  Status append_rows(const Table& table) {
    std::vector<LogicalType> types;
    std::vector<duckdb_logical_type> raw_types;
    for (const Column& column : table.columns) {
      types.push_back(logical_type_of(column.values));
      raw_types.push_back(types.back().get());
    }
    Appender appender(connection, kScratchTable);
    const std::size_t most = duckdb_vector_size(), rows = table.rows();
    Chunk chunk(duckdb_create_data_chunk(raw_types.data(), raw_types.size()));
    for (std::size_t first = 0; first < rows; first += most) {
      const std::size_t count = std::min(most, rows - first);
      duckdb_data_chunk_reset(chunk.get());
      for (std::size_t i = 0; i < table.columns.size(); ++i)
        fill_vector(table.columns[i], first, count, chunk.column(i));
      duckdb_data_chunk_set_size(chunk.get(), count);
      if (Status status = appender.add(chunk); !status.ok()) return status;
    }
    return appender.close();
  }
};

DuckDbSession::DuckDbSession(std::unique_ptr<Handles> handles) : handles_(std::move(handles)) {}
DuckDbSession::DuckDbSession(DuckDbSession&& other) noexcept = default;
DuckDbSession& DuckDbSession::operator=(DuckDbSession&& other) noexcept = default;
DuckDbSession::~DuckDbSession() = default;

Result<DuckDbSession> DuckDbSession::open(Options options) {
  auto handles = std::make_unique<Handles>();
  if (duckdb_open(nullptr, &handles->database) != DuckDBSuccess ||
      duckdb_connect(handles->database, &handles->connection) != DuckDBSuccess)
    return Error{"DuckDB cannot start"};
  DuckDbSession session(std::move(handles));
  const Status status = session.run(fmt::format("SET threads = {}; SET memory_limit = '{}MiB';",
                                                options.threads, options.memory_mib));
  if (!status.ok()) return Error{status.error()};
  return session;
}

Status DuckDbSession::run(const std::string& sql) {
  QueryResult result;
  if (duckdb_query(handles_->connection, sql.c_str(), result.get()) == DuckDBSuccess)
    return Status::success();
  return Error{"DuckDB: " + first_line(duckdb_result_error(result.get()))};
}

Status DuckDbSession::query(const std::string& sql,
                            const std::function<bool(const Table&)>& visit) {
  Statement statement(handles_->connection, sql);
  QueryResult result;
  if (Status status = statement.start(result); !status.ok()) return status;
  while (true) {
    const Chunk chunk(duckdb_fetch_chunk(*result.get()));
    if (!chunk) {
      const char* const problem = duckdb_result_error(result.get());
      if (problem == nullptr || *problem == '\0') return Status::success();
      return Error{"DuckDB: " + first_line(problem)};
    }
    if (chunk.rows() == 0) return Status::success();
    auto table = table_of(result.get(), chunk);
    if (!table.ok()) return Error{table.error()};
    if (!visit(table.value())) return Status::success();
  }
}

Result<Table> DuckDbSession::query(const std::string& sql) {
  Table all;
  bool same = true;
  const Status status = query(sql, [&](const Table& block) {
    if (all.columns.empty())
      all = block;
    else
      same = append(all, block);
    return same;
  });
  if (!status.ok()) return Error{status.error()};
  if (!same) return Error{"a column has rows of different lengths"};
  return all;
}

Status DuckDbSession::write_parquet(const Table& table, const fs::path& file) {
  assert(!table.columns.empty());
  if (Status status = run(create_statement(table)); !status.ok()) return status;
  if (Status status = handles_->append_rows(table); !status.ok()) return status;
  const fs::path unfinished = file.string() + ".unfinished";
  const Status written = run(fmt::format(
      "COPY {} TO {} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL {}, ROW_GROUP_SIZE {})",
      kScratchTable, sql_text(unfinished.string()), kCompressionLevel, kRowGroup));
  if (Status status = run(fmt::format("DROP TABLE {}", kScratchTable)); !status.ok()) return status;
  std::error_code problem;
  if (written.ok()) fs::rename(unfinished, file, problem);
  if (written.ok() && !problem) return Status::success();
  const std::string why = written.ok() ? problem.message() : written.error();
  fs::remove(unfinished, problem);
  return Error{fmt::format("{} cannot be written: {}", file.string(), why)};
}

std::string sql_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + "'";
}

}  // namespace aleph::data
