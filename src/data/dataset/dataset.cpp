#include "data/dataset/dataset.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "data/byte_stream.h"
#include "data/duckdb_session.h"

namespace aleph::data {

namespace fs = std::filesystem;

namespace {

bool has_size(const fs::path& file, std::uint64_t bytes) {
  std::error_code problem;
  const std::uintmax_t size = fs::file_size(file, problem);
  return !problem && size == bytes;
}

}  // namespace

std::uint64_t DatasetSplit::rows() const {
  return std::accumulate(shards.begin(), shards.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Shard& shard) { return sum + shard.rows; });
}

Result<Dataset> Dataset::open(const fs::path& path) {
  const fs::path description = path / "dataset.json";
  if (!fs::exists(description)) return Error{"there is no dataset in " + path.string()};
  const auto text = read_text(description.string());
  if (!text.ok()) return Error{text.error()};
  Dataset dataset;
  dataset.path = path;
  try {
    const auto json = nlohmann::json::parse(text.value());
    if (!json.at("complete").get<bool>())
      return Error{path.string() + " is not complete: run the same build again to go on"};
    const auto& settings = json.at("settings");
    const auto schema = parse_schema(settings.at("schema").get<std::string>());
    if (!schema) return Error{description.string() + ": the schema is not known"};
    dataset.schema = *schema;
    if (settings.at("normalization") == "rotate")
      dataset.normalization = nets::Normalization::Rotate;
    dataset.has_masks = *schema == Schema::Human && settings.at("masks").get<bool>();
    for (const auto& split : json.at("splits")) {
      DatasetSplit& added = dataset.splits.emplace_back();
      added.name = split.at("name");
      for (const auto& shard : split.at("shards")) {
        added.shards.push_back({path / shard.at("file").get<std::string>(), shard.at("rows")});
        if (shard.contains("bytes") && !has_size(added.shards.back().file, shard.at("bytes")))
          return Error{
              added.shards.back().file.string() +
              " is missing or not as it was written: remove the dataset and build it again"};
      }
    }
  } catch (const nlohmann::json::exception&) {
    return Error{description.string() + " is not a description of a dataset"};
  }
  return dataset;
}

std::uint64_t Dataset::rows() const {
  std::uint64_t sum = 0;
  for (const DatasetSplit& split : splits) sum += split.rows();
  return sum;
}

const DatasetSplit* Dataset::find(std::string_view split) const {
  const auto found = std::ranges::find(splits, split, &DatasetSplit::name);
  return found == splits.end() ? nullptr : &*found;
}

std::string Dataset::sql_source(std::string_view split) const {
  std::string files;
  for (const DatasetSplit& part : splits) {
    if (!split.empty() && part.name != split) continue;
    for (const Shard& shard : part.shards) {
      if (!files.empty()) files += ", ";
      files += sql_text(shard.file.string());
    }
  }
  return "read_parquet([" + files + "], hive_partitioning = false)";
}

}  // namespace aleph::data
