#include "data/dataset/builder.h"

#include <mutex>
#include <stdexcept>
#include <unordered_set>

#include "data/dataset/dataset_folder.h"
#include "data/parquet/parquet_writer.h"
#include "data/pgn_batches.h"

namespace aleph::data {

namespace {

// Inside the threads of a build, problems travel as exceptions: run_on_threads hands on the first.
struct BuildFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void demand(const Status& status) {
  if (!status.ok()) throw BuildFailure(status.error());
}
template <class T>
T demand(Result<T> result) {
  if (!result.ok()) throw BuildFailure(result.error());
  return result.take();
}

class Builder {
 public:
  Builder(const BuildSettings& settings, DatasetFolder folder, std::size_t workers,
          const std::function<void(const BuildProgress&)>& on_progress)
      : settings_(settings),
        folder_(std::move(folder)),
        workers_(workers),
        on_progress_(on_progress) {}

  BuildReport run() {
    BuildReport report;
    report.was_complete = folder_.is_complete();
    if (!report.was_complete) build();
    report.counts = folder_.counts();
    for (std::size_t i = 0; i < settings_.splits.size(); ++i)
      report.rows.push_back(folder_.rows(i));
    report.problems = folder_.problems();
    report.rows_of_this_run = progress_.rows;
    return report;
  }

 private:
  void build() {
    std::vector<ByteStream> streams;
    for (const std::string& source : settings_.sources) {
      streams.push_back(demand(ByteStream::open(source)));
      progress_.all_file_bytes += streams.back().file_bytes().value_or(0);
    }
    for (std::size_t file = 0; file < streams.size(); ++file) {
      read_file(file, streams[file]);
      // What was read before a problem stays, but a build must not look whole if it is not.
      if (const auto problem = streams[file].problem()) throw BuildFailure(*problem);
      bytes_of_earlier_files_ += streams[file].file_bytes().value_or(0);
    }
    demand(folder_.complete());
  }

  void read_file(std::size_t file, ByteStream& stream) {
    BatchQueue queue(stream, settings_.segment_bytes);
    run_on_threads(
        workers_,
        [&] {
          SegmentReader reader(settings_, stream.name());
          Batch batch;
          while (const auto ticket = queue.take(batch))
            work_on(queue, *ticket, {file, ticket->number}, batch, reader);
        },
        [&] { queue.abandon(); });
  }

  void work_on(BatchQueue& queue, const BatchQueue::Ticket& ticket, const SegmentId& id,
               Batch& batch, SegmentReader& reader) {
    bool done = false;
    {
      const std::lock_guard lock(mutex_);
      done = folder_.has(id);
    }
    // Which rows are duplicates depends on all earlier ones, those of finished segments too.
    SegmentRows rows;
    if (!done || settings_.dedupe) rows = reader.read(batch);
    std::vector<std::vector<std::uint8_t>> marks;
    bool had_its_turn = false;
    queue.in_turn(ticket, [&] {
      had_its_turn = true;
      if (settings_.dedupe) marks = claim(rows);
      const std::lock_guard lock(mutex_);
      progress_.file_bytes = bytes_of_earlier_files_ + ticket.file_bytes_read;
      if (on_progress_) on_progress_(progress_);
    });
    if (!done && had_its_turn) write(id, std::move(rows), marks);
  }

  // In the order of the sources: the first of equal rows is kept, whoever reads faster.
  std::vector<std::vector<std::uint8_t>> claim(const SegmentRows& rows) {
    std::vector<std::vector<std::uint8_t>> marks;
    for (const auto& keys : rows.keys) {
      marks.emplace_back();
      for (const std::uint64_t key : keys) marks.back().push_back(seen_.insert(key).second);
    }
    return marks;
  }

  void write(const SegmentId& id, SegmentRows rows,
             const std::vector<std::vector<std::uint8_t>>& marks) {
    SegmentRecord record{rows.counts, {}, std::move(rows.problems), {}};
    record.counts.rows = 0;
    for (std::size_t split = 0; split < rows.tables.size(); ++split) {
      const std::size_t before = rows.tables[split].rows();
      Table table = settings_.dedupe ? keep_rows(std::move(rows.tables[split]), marks[split])
                                     : std::move(rows.tables[split]);
      record.rows.push_back(table.rows());
      record.counts.rows += table.rows();
      record.counts.duplicates += before - table.rows();
      if (table.rows() > 0) demand(write_parquet(table, folder_.shard(split, id), Flush::BySystem));
    }
    const std::lock_guard lock(mutex_);
    progress_.rows += record.counts.rows;
    demand(folder_.finish(id, std::move(record)));
  }

  const BuildSettings& settings_;
  DatasetFolder folder_;
  std::size_t workers_;
  const std::function<void(const BuildProgress&)>& on_progress_;
  std::mutex mutex_;  // of folder_ and progress_
  BuildProgress progress_;
  std::uint64_t bytes_of_earlier_files_ = 0;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace

Result<BuildReport> build_dataset(const BuildSettings& settings, const std::filesystem::path& out,
                                  std::size_t workers,
                                  const std::function<void(const BuildProgress&)>& on_progress) {
  auto folder = DatasetFolder::open(out, settings);
  if (!folder.ok()) return Error{folder.error()};
  try {
    return Builder(settings, folder.take(), workers, on_progress).run();
  } catch (const BuildFailure& failure) {
    return Error{failure.what()};
  }
}

}  // namespace aleph::data
