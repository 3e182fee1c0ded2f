// A dataset that is made in numbered segments, by whoever and in whatever order: what label and gen
// write. To its readers it is like any other (data/dataset/dataset.h).
//
//   DIR/dataset.json            settings; counts, problems and shards; "complete" when it is
//   DIR/train-00012.parquet     the rows of the 13th segment
//   DIR/segments/00012.json     until then: that segment is done, and what it gave
//
// A segment's record is written after its shard. Whatever the moment of a stop, a segment is done
// or it is not; what is not is done again. Several processes may work on one folder, if no two of
// them on one segment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace aleph::data {

struct SegmentSummary {
  std::uint64_t rows = 0;
  std::map<std::string, std::uint64_t>
      counts;                         // by names of the caller's choice; they are added up
  std::vector<std::string> problems;  // a sentence each
};

class SegmentFolder {
 public:
  // Makes the folder, or finds one that was begun with the same settings. Another dataset in it is
  // refused. The settings are a JSON object that holds all that decides about rows, among it
  // "schema" and "normalization", which readers want.
  static Result<SegmentFolder> open(const std::filesystem::path& path, std::string settings,
                                    std::size_t segments);

  bool is_complete() const { return complete_; }
  std::vector<std::size_t> missing() const;  // segments that are not done
  std::filesystem::path shard(std::size_t segment) const;

  // Called by one thread at a time, when the shard is there. Without rows it need not be.
  Status finish(std::size_t segment, SegmentSummary summary);
  // Takes notice of what other processes have finished.
  void look_for_records();
  // When nothing is missing.
  Status complete();

  SegmentSummary summary() const;  // of all segments that are done

 private:
  SegmentFolder(std::filesystem::path path, std::string settings, std::size_t segments)
      : path_(std::move(path)), settings_(std::move(settings)), segments_(segments) {}
  void tidy() const;
  std::filesystem::path record(std::size_t segment) const;
  Status read_description();
  Status write_description(bool complete) const;

  std::filesystem::path path_;
  std::string settings_;  // JSON
  std::size_t segments_;
  std::map<std::size_t, SegmentSummary> done_;
  SegmentSummary whole_;  // of a complete dataset
  bool complete_ = false;
};

}  // namespace aleph::data
