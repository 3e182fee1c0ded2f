// Finished segments on their way into a folder.
#pragma once

#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "base/result.h"
#include "data/columns.h"
#include "data/dataset/segment_folder.h"

namespace aleph::lab {

// Inside the threads of a run, problems after which there is no going on travel as exceptions.
struct WorkFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct SegmentOutput {
  data::Table table;
  data::SegmentSummary summary;  // its rows are counted by the writer
};

class SegmentWriter {
 public:
  // The folder must outlive it.
  static Result<SegmentWriter> open(data::SegmentFolder& folder);

  // Called by any thread; throws WorkFailure.
  void write(std::size_t segment, SegmentOutput output);

 private:
  explicit SegmentWriter(data::SegmentFolder& folder)
      : folder_(&folder), mutex_(std::make_unique<std::mutex>()) {}

  data::SegmentFolder* folder_;
  std::unique_ptr<std::mutex> mutex_;  // of the folder
};

// When all processes are done: waits until their records are to be seen here, which on a folder of
// another machine may take a while, and completes the dataset.
Status complete_folder(data::SegmentFolder& folder);

}  // namespace aleph::lab
