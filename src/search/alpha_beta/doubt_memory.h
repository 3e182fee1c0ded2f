// How unsure the evaluation of a node is, and the nodes whose doubt was asked for lately. A search
// comes back to most of its inner nodes, with their evaluation from the transposition table: there
// the doubt would cost the whole network again. One per thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/memory.h"

namespace aleph::search {

// Compared with the usual: 0 is usual, 1024 twice as much, -512 half as much or less.
struct Doubt {
  static constexpr int kLeast = -512, kMost = 1536;
  int below = 0, above = 0;  // how much lower, or higher, the value may be
  int whole = 0;             // both together

  friend bool operator==(const Doubt&, const Doubt&) = default;
};

// Positions of games are in more doubt than those of the tree: the mean of 1,500 of them was 0.3.
// What counts there is the distance from this, so that no clock is spent earlier on the whole.
inline constexpr int kUsualRootDoubt = 300;

// Keyed like the transposition table; a newer node takes the place of an older one.
class DoubtMemory {
 public:
  DoubtMemory() : entries_(kSize) {}

  void clear() {
    for (Entry& entry : entries_) entry = {};
  }
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&entries_[key % kSize]); }
  std::optional<Doubt> find(std::uint64_t key) const {
    const Entry& entry = entries_[key % kSize];
    if (entry.check != check_of(key)) return std::nullopt;
    return Doubt{entry.below, entry.above, entry.whole};
  }
  void keep(std::uint64_t key, const Doubt& doubt) {
    entries_[key % kSize] = {check_of(key), static_cast<std::int16_t>(doubt.below),
                             static_cast<std::int16_t>(doubt.above),
                             static_cast<std::int16_t>(doubt.whole)};
  }

 private:
  static constexpr std::size_t kSize = std::size_t{1} << 17;  // 1 MB

  struct Entry {
    std::uint16_t check = 0;
    std::int16_t below = 0, above = 0, whole = 0;
  };
  // Never zero: that is an entry nobody wrote.
  static std::uint16_t check_of(std::uint64_t key) {
    return static_cast<std::uint16_t>(key >> 48 | 1);
  }

  LargeArray<Entry> entries_;
};

}  // namespace aleph::search
