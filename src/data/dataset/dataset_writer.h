// A dataset written from its first row to its last by one thread: what conversions of other files
// make. There is no going on after a stop, and so the folder is there whole or not at all: until
// close() it grows under another name.
//
//   DIR/dataset.json            where the rows come from, counts, shards
//   DIR/train-00012.parquet     the rows of the 13th add()
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/pending_folder.h"
#include "base/result.h"
#include "data/columns.h"
#include "data/dataset/build_settings.h"

namespace aleph::data {

// The file that was converted.
struct DatasetOrigin {
  std::string format;                  // "plain"
  std::string file;                    // its name
  std::optional<std::uint64_t> bytes;  // of the file, if that is known
};

class DatasetWriter {
 public:
  // What a shard should hold: reading takes a few tens of megabytes for it. Eight row groups.
  static constexpr std::size_t kShardRows = 196'608;

  // Refuses a folder that is there already.
  static Result<DatasetWriter> open(const std::filesystem::path& folder, Schema schema,
                                    DatasetOrigin origin);

  // The next shard. Always the same columns, those of the schema; a table without rows adds none.
  Status add(const Table& rows);
  std::uint64_t rows() const { return rows_; }
  // The last call. The counts, by names of the caller's choice, and the problems, a sentence each,
  // are for people who read dataset.json.
  Status close(std::map<std::string, std::uint64_t> counts,
               const std::vector<std::string>& problems);

 private:
  struct WrittenShard {
    std::string file;
    std::uint64_t rows;
  };
  DatasetWriter(PendingFolder folder, Schema schema, DatasetOrigin origin)
      : folder_(std::move(folder)), schema_(schema), origin_(std::move(origin)) {}

  PendingFolder folder_;
  Schema schema_;
  DatasetOrigin origin_;
  std::vector<WrittenShard> shards_;
  std::uint64_t rows_ = 0;
};

}  // namespace aleph::data
