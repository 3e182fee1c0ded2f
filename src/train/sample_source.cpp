#include "train/sample_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "data/batch/batch_reader.h"
#include "train/sample_encoder.h"

namespace aleph::train {
namespace {

// Batches that wait to be taken.
constexpr std::size_t kAhead = 4;
// Rows that are asked for at a time.
constexpr std::size_t kTableRows = 1024;

struct Row {
  std::shared_ptr<const data::Table> table;
  std::size_t at = 0;
};

// All rows of all epochs, one after the other. Used by one thread at a time.
class RowStream {
 public:
  RowStream(const data::Dataset& dataset, SourceOptions options, const SampleEncoder& encoder)
      : dataset_(dataset), options_(std::move(options)), encoder_(encoder) {}

  const SourcePlace& place() const { return place_; }
  void go_to(const SourcePlace& place) {
    place_ = place;
    reader_.reset();
    table_.reset();
    usable_ = 0;
    began_at_0_ = place.rows == 0;
  }

  // The next usable row; nothing at the end.
  Result<std::optional<Row>> next() {
    while (true) {
      const bool is_full = options_.most_rows > 0 && place_.rows >= options_.most_rows;
      if (!is_full && table_ == nullptr)
        if (const Status status = read(); !status.ok()) return Error{status.error()};
      if (is_full || table_ == nullptr) {
        if (!options_.repeat) return std::optional<Row>();
        if (usable_ == 0 && began_at_0_)
          return Error{fmt::format("no row of {} can teach this network", dataset_.path.string())};
        go_to({place_.epoch + 1, 0});
        continue;
      }
      const Row row{table_, at_++};
      ++place_.rows;
      if (at_ == table_->rows()) table_.reset();
      if (!encoder_.is_usable(*row.table, row.at)) continue;
      ++usable_;
      return std::optional(row);
    }
  }

 private:
  // The next rows of the epoch; no table: there are none.
  Status read() {
    if (!reader_) {
      data::BatchOptions batch;
      batch.rows = kTableRows;
      batch.shuffle = options_.shuffle;
      batch.seed = options_.seed;
      batch.epoch = place_.epoch;
      batch.make_masks = false;
      batch.columns = encoder_.columns();
      auto reader = data::BatchReader::open(dataset_, options_.split, batch);
      if (!reader.ok()) return Error{reader.error()};
      reader_.emplace(reader.take());
      if (Status status = reader_->skip(place_.rows); !status.ok()) return status;
    }
    auto table = reader_->next();
    if (!table.ok()) return Error{table.error()};
    if (table.value().rows() == 0) return Status::success();
    table_ = std::make_shared<const data::Table>(table.take());
    at_ = 0;
    if (const Status status = encoder_.check(*table_); !status.ok())
      return Error{fmt::format("{}: {}", dataset_.path.string(), status.error())};
    return Status::success();
  }

  data::Dataset dataset_;
  SourceOptions options_;
  const SampleEncoder& encoder_;
  SourcePlace place_;
  std::optional<data::BatchReader> reader_;  // of the epoch
  std::shared_ptr<const data::Table> table_;
  std::size_t at_ = 0;
  std::uint64_t usable_ = 0;  // rows since the epoch began, or since go_to
  bool began_at_0_ = true;
};

class ThreadedSource final : public SampleSource {
 public:
  ThreadedSource(const data::Dataset& dataset, const SourceOptions& options, SampleEncoder encoder,
                 std::uint64_t rows)
      : where_(dataset.path.string()),
        options_(options),
        encoder_(std::move(encoder)),
        stream_(dataset, options, encoder_),
        rows_(rows) {}
  ~ThreadedSource() override { stop(); }

  Result<Samples> next() override {
    if (is_over_) return Samples{};
    if (!worker_.joinable()) worker_ = std::thread([this] { work(); });
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return !ready_.empty(); });
    Ready given = std::move(ready_.front());
    ready_.pop_front();
    wake_.notify_all();
    is_over_ = given.is_last;
    place_ = given.place;
    return std::move(given.samples);
  }

  SourcePlace place() const override { return place_; }

  Status go_to(const SourcePlace& place) override {
    if (place.rows > rows_)
      return Error{fmt::format("an epoch of {} rows has no row {}", rows_, place.rows)};
    stop();
    stream_.go_to(place);
    place_ = place;
    is_over_ = false;
    return Status::success();
  }

  std::uint64_t rows() const override { return rows_; }

  // For data whose columns are not known before it is read.
  Status try_first_row() {
    const auto row = stream_.next();
    stream_.go_to({});
    return row.ok() ? Status::success() : Status(Error{row.error()});
  }

 private:
  struct Ready {
    Result<Samples> samples;
    SourcePlace place;     // behind it
    bool is_last = false;  // the end, or an error
  };

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    if (worker_.joinable()) worker_.join();
    stopping_ = false;
    ready_.clear();
  }

  void work() {
    bool more = true;
    while (more) {
      Ready made = make_batch();
      more = !made.is_last;
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || ready_.size() < kAhead; });
      if (stopping_) return;
      ready_.push_back(std::move(made));
      wake_.notify_all();
    }
  }

  Ready make_batch() {
    std::vector<Row> batch;
    bool is_last = false;
    while (batch.size() < options_.rows) {
      auto row = stream_.next();
      if (!row.ok()) return {Error{row.error()}, stream_.place(), true};
      if (!row.value()) {
        is_last = true;
        break;
      }
      batch.push_back(*row.value());
    }
    // The slices are those of the whole batch, also if it is the short last one.
    const std::size_t begin = batch.size() * options_.rank / options_.world;
    const std::size_t end = batch.size() * (options_.rank + 1) / options_.world;
    Samples samples;
    for (std::size_t i = begin; i < end; ++i)
      if (const Status status = encoder_.append(*batch[i].table, batch[i].at, samples);
          !status.ok())
        return {Error{fmt::format("{}: {}", where_, status.error())}, stream_.place(), true};
    return {std::move(samples), stream_.place(), is_last};
  }

  std::string where_;
  SourceOptions options_;
  SampleEncoder encoder_;
  RowStream stream_;  // the worker's while it runs
  std::uint64_t rows_;
  SourcePlace place_;
  bool is_over_ = false;

  std::thread worker_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Ready> ready_;
  bool stopping_ = false;
};

}  // namespace

Result<std::unique_ptr<SampleSource>> SampleSource::open(const data::Dataset& dataset,
                                                         const nets::NetSpec& spec,
                                                         const SourceOptions& options) {
  if (options.rows == 0 || options.world == 0 || options.rank >= options.world)
    return Error{"a batch needs rows, and a rank must be below the number of processes"};
  const data::DatasetSplit* const split = dataset.find(options.split);
  if (split == nullptr)
    return Error{fmt::format("{} has no split {}", dataset.path.string(), options.split)};
  std::uint64_t rows = split->rows();
  if (rows == 0)
    return Error{
        fmt::format("the split {} of {} has no rows", options.split, dataset.path.string())};
  if (options.most_rows > 0) rows = std::min(rows, options.most_rows);
  auto encoder = SampleEncoder::make(dataset, spec, options.keep_positions);
  if (!encoder.ok()) return Error{encoder.error()};
  auto source = std::make_unique<ThreadedSource>(dataset, options, encoder.take(), rows);
  if (dataset.schema == data::Schema::Score)
    if (const Status status = source->try_first_row(); !status.ok()) return Error{status.error()};
  return std::unique_ptr<SampleSource>(std::move(source));
}

}  // namespace aleph::train
