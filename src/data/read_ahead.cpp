#include "data/read_ahead.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace aleph::data {
namespace {

class ReadAhead final : public ByteSource {
 public:
  explicit ReadAhead(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), thread_([this] { run(); }) {}
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  ~ReadAhead() override {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  std::size_t read(std::span<char> buffer) override {
    if (taken_ == current_.bytes.size() && !next_block()) return 0;
    const std::size_t count = std::min(buffer.size(), current_.bytes.size() - taken_);
    std::memcpy(buffer.data(), current_.bytes.data() + taken_, count);
    taken_ += count;
    return count;
  }

  std::uint64_t consumed() const override { return current_.consumed; }

 private:
  static constexpr std::size_t kBlockBytes = 1 << 19, kBlocksAhead = 3;

  struct Block {
    std::vector<char> bytes;
    std::uint64_t consumed = 0;  // of the source, when this block had been read
  };

  void run() {
    for (;;) {
      Block block = spare_block();
      block.bytes.resize(kBlockBytes);
      block.bytes.resize(source_->read(block.bytes));
      block.consumed = source_->consumed();
      const bool last = block.bytes.empty();

      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return closing_ || ready_.size() < kBlocksAhead; });
      if (closing_) return;
      ready_.push_back(std::move(block));
      lock.unlock();
      changed_.notify_all();
      if (last) return;
    }
  }

  Block spare_block() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    Block block = std::move(spare_.back());
    spare_.pop_back();
    return block;
  }

  bool next_block() {
    if (over_) return false;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !ready_.empty(); });
      spare_.push_back(std::exchange(current_, std::move(ready_.front())));
      ready_.pop_front();
    }
    changed_.notify_all();
    taken_ = 0;
    over_ = current_.bytes.empty();
    if (over_) problem_ = source_->problem();  // the thread has made its last read
    return !over_;
  }

  std::unique_ptr<ByteSource> source_;
  Block current_;
  std::size_t taken_ = 0;
  bool over_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> ready_;
  std::vector<Block> spare_;
  bool closing_ = false;
  std::thread thread_;  // last: it uses everything above
};

}  // namespace

std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> source) {
  return std::make_unique<ReadAhead>(std::move(source));
}

}  // namespace aleph::data
