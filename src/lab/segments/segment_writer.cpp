#include "lab/segments/segment_writer.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "data/parquet/parquet_writer.h"

namespace aleph::lab {

namespace {

constexpr auto kLongestWait = std::chrono::seconds(90);  // NFS may keep a listing for a minute

void demand(const Status& status) {
  if (!status.ok()) throw WorkFailure(status.error());
}

}  // namespace

Result<SegmentWriter> SegmentWriter::open(data::SegmentFolder& folder) {
  return SegmentWriter(folder);
}

void SegmentWriter::write(std::size_t segment, SegmentOutput output) {
  output.summary.rows = output.table.rows();
  if (output.summary.rows > 0) demand(data::write_parquet(output.table, folder_->shard(segment)));
  const std::lock_guard lock(*mutex_);
  demand(folder_->finish(segment, std::move(output.summary)));
}

Status complete_folder(data::SegmentFolder& folder) {
  const auto deadline = std::chrono::steady_clock::now() + kLongestWait;
  for (folder.look_for_records(); !folder.missing().empty(); folder.look_for_records()) {
    if (std::chrono::steady_clock::now() > deadline)
      return Error{fmt::format("{} segments are missing: start the same again to go on",
                               folder.missing().size())};
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return folder.complete();
}

}  // namespace aleph::lab
