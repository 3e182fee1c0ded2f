#include "data/dataset/dataset_stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "data/byte_stream.h"
#include "data/duckdb_session.h"

namespace aleph::data {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

using Integers = std::vector<std::int64_t>;
using Decimals = std::vector<double>;
using Texts = std::vector<std::string>;

// "yes", "blitz, rapid", "train 0.95, test 0.05": what JSON says, without its brackets.
std::string plain_text(const Json& json) {
  if (json.is_null()) return "-";
  if (json.is_string()) return json.get<std::string>();
  if (json.is_boolean()) return json.get<bool>() ? "yes" : "no";
  if (!json.is_structured()) return json.dump();
  std::string text;
  for (const Json& item : json) {
    if (!text.empty()) text += json.is_array() ? ", " : " ";
    text += plain_text(item);
  }
  return text.empty() ? "-" : text;
}

void read_items(const Json& json, std::vector<NamedText>& to) {
  for (const auto& item : json.items()) to.push_back({item.key(), plain_text(item.value())});
}

Status read_description(const fs::path& folder, DatasetStats& stats) {
  const fs::path file = folder / "dataset.json";
  const auto text = read_text(file.string());
  if (!text.ok()) return Error{text.error()};
  try {
    const Json json = Json::parse(text.value());
    read_items(json.at("settings"), stats.settings);
    read_items(json.value("counts", Json::object()), stats.build_counts);
    // Labels and self-play have none.
    for (const Json& source : json.value("sources", Json::array()))
      stats.sources.push_back(
          {source.at("file").get<std::string>(), plain_text(source.at("bytes"))});
  } catch (const Json::exception&) {
    return Error{file.string() + " is not a description of a dataset"};
  }
  return Status::success();
}

Result<std::vector<SplitStats>> measure_files(const Dataset& dataset, std::string_view split) {
  std::vector<SplitStats> splits;
  for (const DatasetSplit& part : dataset.splits) {
    if (!split.empty() && part.name != split) continue;
    SplitStats& added = splits.emplace_back(SplitStats{part.name, {}});
    for (const Shard& shard : part.shards) {
      std::error_code problem;
      const std::uint64_t bytes = fs::file_size(shard.file, problem);
      if (problem) return Error{shard.file.string() + ": " + problem.message()};
      added.shards.push_back({shard.file.filename().string(), shard.rows, bytes});
    }
  }
  return splits;
}

std::string quoted_name(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    text += c;
    if (c == '"') text += c;
  }
  return text + '"';
}

// "[...]": the shards, as the table functions of DuckDB take them.
std::string list_of_files(const Dataset& dataset, std::string_view split) {
  std::string files;
  for (const DatasetSplit& part : dataset.splits) {
    if (!split.empty() && part.name != split) continue;
    for (const Shard& shard : part.shards)
      files += (files.empty() ? "" : ", ") + sql_text(shard.file.string());
  }
  return "[" + files + "]";
}

// The questions that SQL can answer.
class ColumnQuestions {
 public:
  ColumnQuestions(DuckDbSession& duckdb, std::string files)
      : duckdb_(duckdb),
        files_(std::move(files)),
        rows_(fmt::format("read_parquet({}, hive_partitioning = false)", files_)) {}

  // Sizes stand at the end of each file, and so do the numbers of missing values, except those of
  // lists.
  Result<std::vector<ColumnStats>> columns() {
    const auto table =
        duckdb_.query(fmt::format("SELECT split_part(path_in_schema, ',', 1) AS name, "
                                  "CAST(sum(total_compressed_size) AS BIGINT) AS bytes, "
                                  "CASE WHEN count(*) = count(stats_null_count) "
                                  "THEN CAST(sum(stats_null_count) AS BIGINT) END AS missing "
                                  "FROM parquet_metadata({}) GROUP BY 1 ORDER BY min(column_id)",
                                  files_));
    if (!table.ok()) return Error{table.error()};
    const auto* const names = table.value().values<Texts>("name");
    const auto* const bytes = table.value().values<Integers>("bytes");
    const Column* const missing = table.value().find("missing");
    std::vector<ColumnStats> columns;
    for (std::size_t i = 0; i < table.value().rows(); ++i) {
      auto count = missing->is_missing(i) ? count_missing((*names)[i])
                                          : Result(std::get<Integers>(missing->values)[i]);
      if (!count.ok()) return Error{count.error()};
      columns.push_back({(*names)[i], static_cast<std::uint64_t>(count.value()),
                         static_cast<std::uint64_t>((*bytes)[i])});
    }
    return columns;
  }

  Result<NumberStats> numbers(const std::string& value) {
    const auto groups = duckdb_.query(fmt::format(
        "SELECT CAST(floor(CAST({0} AS DOUBLE)) AS BIGINT) AS value, count(*) AS number "
        "FROM {1} WHERE {0} IS NOT NULL GROUP BY 1 ORDER BY 1",
        value, rows_));
    if (!groups.ok()) return Error{groups.error()};
    NumberStats stats;
    if (groups.value().rows() == 0) return stats;
    const auto* const values = groups.value().values<Integers>("value");
    const auto* const counts = groups.value().values<Integers>("number");
    for (std::size_t i = 0; i < values->size(); ++i)
      stats.histogram[(*values)[i]] = static_cast<std::uint64_t>((*counts)[i]);
    const auto spread = duckdb_.query(
        fmt::format("SELECT CAST(min({0}) AS DOUBLE) AS least, CAST(avg({0}) AS DOUBLE) AS mean, "
                    "CAST(max({0}) AS DOUBLE) AS most FROM {1}",
                    value, rows_));
    if (!spread.ok()) return Error{spread.error()};
    const auto number = [&](const char* name) {
      return spread.value().values<Decimals>(name)->front();
    };
    stats.spread = Spread{number("least"), number("mean"), number("most")};
    return stats;
  }

 private:
  Result<std::int64_t> count_missing(const std::string& column) {
    const auto table = duckdb_.query(
        fmt::format("SELECT count(*) - count({}) AS number FROM {}", quoted_name(column), rows_));
    if (!table.ok()) return Error{table.error()};
    return table.value().values<Integers>("number")->front();
  }

  DuckDbSession& duckdb_;
  std::string files_, rows_;
};

// The number of a row that a part of the statistics is about. Null: the schema has none.
struct Subject {
  NumberStats DatasetStats::*stats;
  const char *human, *policy, *score;

  const char* of(Schema schema) const {
    switch (schema) {
      case Schema::Human: return human;
      case Schema::Policy: return policy;
      case Schema::Score: return score;
    }
    return nullptr;
  }
};
constexpr std::array kSubjects{
    Subject{&DatasetStats::ratings, "rating", "rating", nullptr},
    Subject{&DatasetStats::clocks, "clock", nullptr, nullptr},
    Subject{&DatasetStats::think_times, "think_time", nullptr, nullptr},
    Subject{&DatasetStats::scores, nullptr, "score", "scores[-1]"},
    Subject{&DatasetStats::results, "result", "result", "outcome"},
};

Status ask_columns(DuckDbSession& duckdb, std::string files, DatasetStats& stats) {
  ColumnQuestions questions(duckdb, std::move(files));
  auto columns = questions.columns();
  if (!columns.ok()) return Error{columns.error()};
  stats.columns = columns.take();
  for (const Subject& subject : kSubjects) {
    const char* const value = subject.of(stats.schema);
    if (value == nullptr) continue;
    auto numbers = questions.numbers(value);
    if (!numbers.ok()) return Error{numbers.error()};
    stats.*subject.stats = numbers.take();
  }
  return Status::success();
}

// Shard after shard: DuckDB holds the answer to one question in memory as a whole.
Result<PositionCounts> look_at_positions(DuckDbSession& duckdb, const Dataset& dataset,
                                         std::string_view split,
                                         const std::function<void(std::uint64_t)>& on_progress) {
  PositionStats positions(dataset.schema, dataset.normalization);
  std::uint64_t rows = 0;
  for (const DatasetSplit& part : dataset.splits) {
    if (!split.empty() && part.name != split) continue;
    for (const Shard& shard : part.shards) {
      positions.begin_shard();
      Status added = Status::success();
      const Status asked =
          duckdb.query(fmt::format("SELECT {} FROM read_parquet({}, hive_partitioning = false)",
                                   positions.columns(), sql_text(shard.file.string())),
                       [&](const Table& block) {
                         added = positions.add(block);
                         rows += block.rows();
                         if (on_progress) on_progress(rows);
                         return added.ok();
                       });
      if (!asked.ok()) return Error{asked.error()};
      if (!added.ok()) return Error{shard.file.string() + ": " + added.error()};
    }
  }
  return positions.counts();
}

// Also of "folder/" and of ".".
std::string folder_name(const fs::path& path) {
  std::error_code problem;
  const fs::path whole = fs::weakly_canonical(path, problem);
  return (problem ? path : whole).filename().string();
}

}  // namespace

std::uint64_t SplitStats::rows() const {
  std::uint64_t sum = 0;
  for (const ShardStats& shard : shards) sum += shard.rows;
  return sum;
}

std::uint64_t SplitStats::bytes() const {
  std::uint64_t sum = 0;
  for (const ShardStats& shard : shards) sum += shard.bytes;
  return sum;
}

std::uint64_t DatasetStats::rows() const {
  std::uint64_t sum = 0;
  for (const SplitStats& part : splits) sum += part.rows();
  return sum;
}

std::uint64_t DatasetStats::bytes() const {
  std::uint64_t sum = 0;
  for (const SplitStats& part : splits) sum += part.bytes();
  return sum;
}

std::uint64_t DatasetStats::missing(std::string_view column) const {
  const auto found = std::ranges::find(columns, column, &ColumnStats::name);
  return found == columns.end() ? 0 : found->missing;
}

Result<DatasetStats> collect_dataset_stats(
    const Dataset& dataset, std::string_view split,
    const std::function<void(std::uint64_t rows)>& on_progress) {
  DatasetStats stats;
  stats.name = folder_name(dataset.path);
  stats.schema = dataset.schema;
  stats.split = split;
  if (const Status status = read_description(dataset.path, stats); !status.ok())
    return Error{status.error()};
  auto splits = measure_files(dataset, split);
  if (!splits.ok()) return Error{splits.error()};
  stats.splits = splits.take();
  if (stats.rows() == 0) return stats;  // then there are no files that SQL could be asked about

  auto opened = DuckDbSession::open();
  if (!opened.ok()) return Error{opened.error()};
  DuckDbSession duckdb = opened.take();
  const Status asked = ask_columns(duckdb, list_of_files(dataset, split), stats);
  if (!asked.ok()) return Error{asked.error()};
  auto positions = look_at_positions(duckdb, dataset, split, on_progress);
  if (!positions.ok()) return Error{positions.error()};
  stats.positions = positions.take();
  return stats;
}

}  // namespace aleph::data
