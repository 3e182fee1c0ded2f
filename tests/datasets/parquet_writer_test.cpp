#include "data/parquet/parquet_writer.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <type_traits>

#include "base/rng.h"
#include "data/duckdb_session.h"
#include "support/shared_data.h"

namespace aleph::data {
namespace {

namespace fs = std::filesystem;

template <class T>
std::vector<T> numbers_between(Rng& rng, std::size_t count, T low, T high) {
  std::vector<T> numbers;
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t step = span == ~std::uint64_t{0} ? rng.next() : rng.below(span + 1);
    numbers.push_back(static_cast<T>(static_cast<std::uint64_t>(low) + step));
  }
  return numbers;
}
template <class T>
std::vector<T> any_numbers(Rng& rng, std::size_t count) {
  return numbers_between(rng, count, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}
template <class T>
std::vector<T> fractions(Rng& rng, std::size_t count) {
  std::vector<T> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(static_cast<T>(rng.uniform() * 9 - 4));
  return numbers;
}
std::vector<std::string> texts(Rng& rng, std::size_t count) {
  const std::vector<std::string> words = {"", "a", "Ångström", "1. e4 e5", std::string(300, 'x')};
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(words[rng.below(words.size())]);
  return all;
}
FixedBytes bytes(Rng& rng, std::size_t rows, std::size_t width) {
  return {width, numbers_between<std::uint8_t>(rng, rows * width, 0, 255)};
}
FixedNumbers lists(Rng& rng, std::size_t rows, std::size_t width, int low, int high) {
  return {width, numbers_between(rng, rows * width, static_cast<std::int16_t>(low),
                                 static_cast<std::int16_t>(high))};
}

// Every type, and of the numbers every way to write them.
Table random_table(Rng& rng, std::size_t rows) {
  Table table;
  const auto add = [&table](std::string name, Values values) {
    table.columns.push_back({std::move(name), std::move(values), {}});
  };
  add("flag", Flags{numbers_between<std::uint8_t>(rng, rows, 0, 1)});
  add("int8", any_numbers<std::int8_t>(rng, rows));
  add("int8_same", numbers_between<std::int8_t>(rng, rows, -1, -1));
  add("int16", any_numbers<std::int16_t>(rng, rows));
  add("int16_few", numbers_between<std::int16_t>(rng, rows, -300, 500));
  add("int32", any_numbers<std::int32_t>(rng, rows));
  add("int32_few", numbers_between<std::int32_t>(rng, rows, -2'000'000'000, -1'999'999'700));
  add("int64", any_numbers<std::int64_t>(rng, rows));
  add("int64_few", numbers_between<std::int64_t>(rng, rows, 1LL << 40, (1LL << 40) + 6));
  add("float", fractions<float>(rng, rows));
  add("double", fractions<double>(rng, rows));
  add("text", texts(rng, rows));
  add("bytes1", bytes(rng, rows, 1));
  add("bytes32", bytes(rng, rows, 32));
  add("list1", lists(rng, rows, 1, -32'768, 32'767));
  add("list6", lists(rng, rows, 6, 0, 200));
  add("list74", lists(rng, rows, 74, 0, 4'300));
  return table;
}

// Of every three columns, one has gaps often, one seldom, and one has no value at all.
void leave_out_values(Rng& rng, Table& table) {
  constexpr std::uint64_t kOneIn[] = {3, 5'000, 1};
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    for (std::size_t row = 0; row < table.rows(); ++row)
      table.columns[i].missing.push_back(rng.below(kOneIn[i % 3]) == 0);
}

// As texts, so that columns of all types can be compared, and lists some of whose rows are missing.
std::string rows_as_text(const fs::path& file, const std::string& column) {
  return fmt::format("SELECT coalesce(\"{}\"::VARCHAR, 'NULL') AS t FROM {}", column,
                     sql_text(file.string()));
}
std::vector<std::string> texts_of(DuckDbSession& session, const std::string& sql) {
  auto table = session.query(sql);
  INFO((table.ok() ? "" : table.error()));
  REQUIRE(table.ok());
  if (table.value().columns.empty()) return {};  // no rows, no blocks
  return std::get<std::vector<std::string>>(table.value().columns.front().values);
}

template <class T>
bool is_equal_row(const T& values, const T& others, std::size_t row, std::size_t width) {
  const auto at = static_cast<std::ptrdiff_t>(row * width);
  return std::equal(values.begin() + at, values.begin() + at + static_cast<std::ptrdiff_t>(width),
                    others.begin() + at);
}

bool is_equal_row(const Values& values, const Values& others, std::size_t row) {
  return std::visit(
      [&](const auto& some) {
        using T = std::remove_cvref_t<decltype(some)>;
        const T& same = std::get<T>(others);
        if constexpr (std::is_same_v<T, Flags>)
          return some.values[row] == same.values[row];
        else if constexpr (std::is_same_v<T, FixedBytes>)
          return some.width == same.width && is_equal_row(some.bytes, same.bytes, row, some.width);
        else if constexpr (std::is_same_v<T, FixedNumbers>)
          return some.width == same.width &&
                 is_equal_row(some.numbers, same.numbers, row, some.width);
        else
          return some[row] == same[row];
      },
      values);
}

// Without missing values, DuckDB must give back the very table.
void check_read_back(DuckDbSession& session, const Table& table, const fs::path& file) {
  const auto read = session.query("SELECT * FROM " + sql_text(file.string()));
  REQUIRE(read.ok());
  if (table.rows() == 0) return;
  REQUIRE(read.value().columns.size() == table.columns.size());
  REQUIRE(read.value().rows() == table.rows());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column &column = table.columns[i], &other = read.value().columns[i];
    INFO(column.name);
    CHECK(column.name == other.name);
    REQUIRE(column.values.index() == other.values.index());
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
      wrong += other.is_missing(row) || !is_equal_row(column.values, other.values, row);
    CHECK(wrong == 0);
  }
}

void check_like_twin(DuckDbSession& session, const Table& table, const fs::path& file,
                     const fs::path& twin) {
  for (const Column& column : table.columns) {
    INFO(column.name);
    const auto rows = texts_of(session, rows_as_text(file, column.name));
    CHECK(rows == texts_of(session, rows_as_text(twin, column.name)));
    REQUIRE(rows.size() == table.rows());
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < rows.size(); ++row)
      wrong += (rows[row] == "NULL") != column.is_missing(row);
    CHECK(wrong == 0);
  }
  const auto types = [&session](const fs::path& of) {
    return texts_of(session,
                    "SELECT column_name || ' ' || column_type || ' ' || \"null\" FROM "
                    "(DESCRIBE SELECT * FROM " +
                        sql_text(of.string()) + ")");
  };
  CHECK(types(file).size() == table.columns.size());
  CHECK(types(file) == types(twin));
  // Other readers trust these.
  const auto counts = [&session](const fs::path& of) {
    return texts_of(session,
                    "SELECT concat_ws(' ', row_group_num_rows, path_in_schema, num_values) FROM "
                    "parquet_metadata(" +
                        sql_text(of.string()) + ")");
  };
  CHECK(counts(file) == counts(twin));
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("DuckDB reads what was written, as from its own files") {
  const test::TemporaryFolder folder;
  DuckDbSession session = DuckDbSession::open().take();
  const fs::path file = folder.path() / "ours.parquet", twin = folder.path() / "twin.parquet";
  for (const std::size_t rows : {0, 1, 7, 8, 9, 2'047, 2'048, 2'049, 24'577, 60'000})
    for (const bool some_missing : {false, true}) {
      INFO(rows << " rows, " << (some_missing ? "some" : "none") << " missing");
      Rng rng(rows);
      Table table = random_table(rng, rows);
      if (some_missing) leave_out_values(rng, table);
      REQUIRE(write_parquet(table, file).ok());
      REQUIRE(session.write_parquet(table, twin).ok());
      if (!some_missing) check_read_back(session, table, file);
      check_like_twin(session, table, file, twin);
    }
}

TEST_CASE("many rows are read back") {
  const test::TemporaryFolder folder;
  DuckDbSession session = DuckDbSession::open().take();
  const fs::path file = folder.path() / "ours.parquet";
  Rng rng(3);
  Table table;
  table.columns.push_back({"tokens", lists(rng, 110'000, 74, 0, 4'300), {}});
  table.columns.push_back({"mask", bytes(rng, 110'000, 512), {}});
  table.columns.push_back({"id", any_numbers<std::int64_t>(rng, 110'000), {}});
  REQUIRE(write_parquet(table, file).ok());
  check_read_back(session, table, file);
}

TEST_CASE("filters find rows by the bounds of row groups") {
  const test::TemporaryFolder folder;
  DuckDbSession session = DuckDbSession::open().take();
  const fs::path file = folder.path() / "ours.parquet";
  Table table;
  std::vector<std::int32_t> rising;
  for (int i = 0; i < 100'000; ++i) rising.push_back(i - 50'000);
  table.columns.push_back({"n", rising, {}});
  REQUIRE(write_parquet(table, file).ok());
  const std::string source = sql_text(file.string());
  for (const int wanted : {-50'000, -1, 0, 24'576, 49'999})
    CHECK(texts_of(session, fmt::format("SELECT count(*)::VARCHAR FROM {} WHERE n = {}", source,
                                        wanted)) == std::vector<std::string>{"1"});
  CHECK(
      texts_of(session, "SELECT stats_min_value || ' ' || stats_max_value FROM parquet_metadata(" +
                            source + ") LIMIT 1") == std::vector<std::string>{"-50000 -25425"});
}

TEST_CASE("the same table gives the same bytes") {
  const test::TemporaryFolder folder;
  Rng rng(5);
  Table table = random_table(rng, 3'000);
  leave_out_values(rng, table);
  REQUIRE(write_parquet(table, folder.path() / "one").ok());
  // What stands where a value is missing means nothing.
  auto& numbers = std::get<std::vector<std::int16_t>>(table.columns[3].values);
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.columns[3].is_missing(row)) numbers[row] = 17;
  REQUIRE(write_parquet(table, folder.path() / "two").ok());
  CHECK(content_of(folder.path() / "one") == content_of(folder.path() / "two"));
  CHECK(content_of(folder.path() / "one").size() > 10'000);
}

TEST_CASE("what cannot be written is said, and leaves nothing behind") {
  const test::TemporaryFolder folder;
  Rng rng(6);
  Table table = random_table(rng, 10);
  const fs::path no_folder = folder.write("plain_file", "") / "set.parquet";
  const fs::path taken = folder.path() / "taken";
  fs::create_directory(taken);
  fs::create_directory(taken / "inside");
  for (const fs::path& file : {no_folder, taken}) {
    const Status status = write_parquet(table, file);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().starts_with("cannot write " + file.string() + ": "));
    CHECK(status.error().find('\n') == std::string::npos);
  }
  table.columns.push_back({"bad", std::vector<std::string>(10, "\xFF"), {}});
  const Status status = write_parquet(table, folder.path() / "bad.parquet");
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().ends_with("the text of bad in row 0 is not UTF-8"));
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 2);
}

}  // namespace aleph::data
