// A dataset on disk: dataset.json, and shards of rows in Parquet files.
//
//   DIR/dataset.json               settings, sources, counts, shards; "complete" when it is
//   DIR/train-000-00012.parquet    the rows of split train from the 13th segment of the first file
//   DIR/segments/000-00012.json    while building: that segment is done, and what it gave
//
// A segment's record is written after its shards. Whatever the moment of a stop, a segment is done
// or it is not; what is not is done again. Nobody waits for the disk, which would take a tenth of
// the time and more: sizes are written down, and a shard that has another one, because the machine
// itself stopped, is not taken for whole.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "data/dataset/build_settings.h"
#include "data/dataset/segment.h"

namespace aleph::data {

struct SegmentId {
  std::size_t file = 0, number = 0;
  std::string text() const;  // "000-00012"
  friend auto operator<=>(const SegmentId&, const SegmentId&) = default;
};

struct SegmentRecord {
  BuildCounts counts;
  std::vector<std::uint64_t> rows;  // by split
  std::vector<std::string> problems;
  std::vector<std::uint64_t> bytes;  // of the shards, by split; 0: there is none
};

class DatasetFolder {
 public:
  // Makes the folder, or finds one that was begun with the same settings and sources. Another
  // dataset in it is refused, and so are sources that have changed.
  static Result<DatasetFolder> open(const std::filesystem::path& path,
                                    const BuildSettings& settings);

  bool is_complete() const { return complete_; }
  bool has(const SegmentId& id) const { return done_.contains(id); }
  const SegmentRecord* find(const SegmentId& id) const;
  std::filesystem::path shard(std::size_t split, const SegmentId& id) const;
  // Called by one thread at a time, when the shards are there.
  Status finish(const SegmentId& id, SegmentRecord record);
  Status complete();

  BuildCounts counts() const;
  std::vector<std::string> problems() const;
  std::uint64_t rows(std::size_t split) const;

 private:
  DatasetFolder(std::filesystem::path path, BuildSettings settings)
      : path_(std::move(path)), settings_(std::move(settings)) {}
  void tidy() const;
  Status read_records();
  bool has_shards(const SegmentId& id, const SegmentRecord& record) const;
  Status write_description(bool complete) const;

  std::filesystem::path path_;
  BuildSettings settings_;
  std::string sources_;  // their sizes and fingerprints, as JSON
  std::map<SegmentId, SegmentRecord> done_;
  bool complete_ = false;
};

}  // namespace aleph::data
