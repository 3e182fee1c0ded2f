#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/byte_stream.h"
#include "data/game_splitter.h"

// One PGN file read by several threads: the text is cut into batches of about a megabyte, each is
// turned into a result by whichever thread is free, and the results are handed over in the order of
// the file.
namespace aleph::data {

inline constexpr std::size_t kBatchBytes = std::size_t{1} << 20;

// Whole pieces of a file, copied out of the stream.
class Batch final : public SectionSource {
 public:
  void clear();
  void add(const Section& section);
  std::uint64_t bytes() const { return bytes_; }
  bool next(Section& section) override;

 private:
  std::string text_;
  std::vector<Section> sections_;  // whose text is a place in text_, found by its length
  std::uint64_t bytes_ = 0;
  std::size_t next_section_ = 0, next_byte_ = 0;
};

// Gives batches to threads, with numbers by which their results can be put back in order.
class BatchQueue {
 public:
  // The stream must outlive it. A batch ends with the game that makes it `batch_bytes` or more.
  explicit BatchQueue(ByteStream& stream, std::size_t batch_bytes = kBatchBytes)
      : stream_(stream), batch_bytes_(batch_bytes), splitter_(stream) {}

  struct Ticket {
    std::uint64_t number;
    std::uint64_t file_bytes_read;  // of the file on disk, up to the end of the batch
  };
  // The next batch; nothing at the end of the stream, or after abandon().
  std::optional<Ticket> take(Batch& batch);
  // Waits until all earlier tickets have had their turn, then calls work. Does nothing after
  // abandon().
  void in_turn(const Ticket& ticket, const std::function<void()>& work);
  // Something has failed: lets everybody go home.
  void abandon();

 private:
  ByteStream& stream_;
  std::size_t batch_bytes_;
  std::mutex reading_;
  GameSplitter splitter_;
  std::uint64_t taken_ = 0;

  std::mutex mutex_;
  std::condition_variable turn_changed_;
  std::uint64_t turn_ = 0;
  bool abandoned_ = false;
};

// Runs work on that many threads, this one included, and waits for all. The first exception is
// thrown here, after on_failure was called.
void run_on_threads(std::size_t threads, const std::function<void()>& work,
                    const std::function<void()>& on_failure);

// Lets through about a megabyte of another source.
class OneBatch final : public SectionSource {
 public:
  explicit OneBatch(SectionSource& source) : source_(source) {}
  bool next(Section& section) override;
  bool source_ended() const { return source_ended_; }

 private:
  SectionSource& source_;
  std::uint64_t bytes_ = 0;
  bool source_ended_ = false;
};

// Calls map(SectionSource&) for each batch, on `threads` threads, and reduce(its result, bytes of
// the file on disk that are done) for one after the other in the order of the file. A PgnReader
// made in map numbers its games from 1. With one thread nothing is copied and no thread is started.
template <class Map, class Reduce>
void read_in_batches(ByteStream& stream, std::size_t threads, const Map& map,
                     const Reduce& reduce) {
  if (threads <= 1) {
    GameSplitter splitter(stream);
    for (bool more = true; more;) {
      OneBatch batch(splitter);
      reduce(map(batch), stream.file_bytes_read());
      more = !batch.source_ended();
    }
    return;
  }
  BatchQueue queue(stream);
  const auto work = [&] {
    Batch batch;
    while (const auto ticket = queue.take(batch)) {
      auto result = map(batch);
      queue.in_turn(*ticket, [&] { reduce(std::move(result), ticket->file_bytes_read); });
    }
  };
  run_on_threads(threads, work, [&] { queue.abandon(); });
}

}  // namespace aleph::data
