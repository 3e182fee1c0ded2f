// Where the numbers of segments to work on come from.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace aleph::lab {

class WorkSource {
 public:
  virtual ~WorkSource() = default;
  // A segment that nobody else gets; nothing: there are no more. Called by one thread at a time.
  virtual std::optional<std::size_t> next() = 0;
};

// A list that is at hand. Any thread may ask.
class LocalWork final : public WorkSource {
 public:
  explicit LocalWork(std::vector<std::size_t> segments) : segments_(std::move(segments)) {}
  std::optional<std::size_t> next() override {
    const std::lock_guard lock(mutex_);
    if (given_ == segments_.size()) return std::nullopt;
    return segments_[given_++];
  }

 private:
  std::mutex mutex_;
  std::vector<std::size_t> segments_;
  std::size_t given_ = 0;
};

}  // namespace aleph::lab
