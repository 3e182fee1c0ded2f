// A finished dataset, as its readers see it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "data/dataset/build_settings.h"

namespace aleph::data {

struct Shard {
  std::filesystem::path file;
  std::uint64_t rows = 0;
};

struct DatasetSplit {
  std::string name;
  std::vector<Shard> shards;
  std::uint64_t rows() const;
};

struct Dataset {
  std::filesystem::path path;
  Schema schema = Schema::Human;
  nets::Normalization normalization = nets::Normalization::Flip;
  bool has_masks = false;
  std::vector<DatasetSplit> splits;

  // Refuses a folder without a dataset, and one whose build has not come to its end.
  static Result<Dataset> open(const std::filesystem::path& path);

  std::uint64_t rows() const;
  // Null if there is none of this name.
  const DatasetSplit* find(std::string_view split) const;
  // "read_parquet([...])" over the shards of all splits, or of one, for use in SQL. There must be
  // some.
  std::string sql_source(std::string_view split = "") const;
};

}  // namespace aleph::data
