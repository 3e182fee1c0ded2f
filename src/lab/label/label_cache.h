// Equal positions are asked about once.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "base/rng.h"
#include "chess/packed_position.h"
#include "lab/label/position_labeller.h"

namespace aleph::lab {

// Used by any thread. Holds at most so many positions; then it begins anew.
class LabelCache {
 public:
  static constexpr std::size_t kMostPositions = 1'000'000;
  using Ask = std::function<std::optional<Label>()>;

  // Calls ask() if nobody has asked about this position; waits if somebody is asking.
  std::optional<Label> get(const chess::PackedPosition& position, const Ask& ask) {
    std::promise<std::optional<Label>> promise;
    if (const auto earlier = find_or_promise(position, promise); earlier.valid())
      return earlier.get();
    try {
      std::optional<Label> label = ask();
      promise.set_value(label);
      return label;
    } catch (...) {
      promise.set_exception(std::current_exception());
      throw;
    }
  }

  std::uint64_t repeated() const {
    const std::lock_guard lock(mutex_);
    return repeated_;
  }

 private:
  using Future = std::shared_future<std::optional<Label>>;
  struct Hash {
    std::size_t operator()(const chess::PackedPosition& position) const {
      std::uint64_t hash = 0;
      for (const std::uint64_t part : std::bit_cast<std::array<std::uint64_t, 4>>(position.bytes))
        hash = Rng(hash ^ part).next();
      return hash;
    }
  };

  // Not valid: it is for the caller to keep the promise.
  Future find_or_promise(const chess::PackedPosition& position,
                         std::promise<std::optional<Label>>& promise) {
    const std::lock_guard lock(mutex_);
    if (const auto found = answers_.find(position); found != answers_.end()) {
      ++repeated_;
      return found->second;
    }
    if (answers_.size() >= kMostPositions) answers_.clear();
    answers_.emplace(position, promise.get_future().share());
    return {};
  }

  mutable std::mutex mutex_;
  std::unordered_map<chess::PackedPosition, Future, Hash> answers_;
  std::uint64_t repeated_ = 0;
};

}  // namespace aleph::lab
