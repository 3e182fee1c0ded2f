// By how much the static evaluation was wrong in positions that share a part with this one: the
// pawns, the minor pieces, or the pieces of one side. Shared by all threads: each learns from the
// others. Entries are relaxed atomics, and an update that another thread overwrites is lost.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "base/memory.h"
#include "chess/position.h"

namespace aleph::search {

class Corrections {
 public:
  static constexpr int kLimit = 1024;
  // The sum is kept fine-grained; units() of it go onto the evaluation.
  static constexpr int kGrain = 131'072;

  Corrections() : tables_(kParts * kSize) {}

  void clear() {
    for (auto& entry : tables_) entry.store(0, std::memory_order_relaxed);
  }

  // Weighted, in grains.
  int of(const chess::Position& position) const {
    int sum = 0;
    for (std::size_t part = 0; part < kParts; ++part)
      sum += kWeights[part] * entry(part, position).load(std::memory_order_relaxed);
    return sum;
  }
  void prefetch(const chess::Position& position) const {
    for (std::size_t part = 0; part < kParts; ++part) __builtin_prefetch(&entry(part, position));
  }
  void learn(const chess::Position& position, int bonus) {
    for (std::size_t part = 0; part < kParts; ++part) {
      std::atomic<std::int16_t>& value = entry(part, position);
      const int old = value.load(std::memory_order_relaxed);
      const int cut = std::clamp(bonus * kRates[part] / 128, -kLimit, kLimit);
      value.store(static_cast<std::int16_t>(old + cut - old * std::abs(cut) / kLimit),
                  std::memory_order_relaxed);
    }
  }

 private:
  // Pawns, minor pieces, White's pieces, Black's pieces.
  static constexpr std::size_t kParts = 4, kSize = 2 * 16'384;
  static constexpr std::array<int, kParts> kWeights{6995, 6593, 7753, 7753};
  static constexpr std::array<int, kParts> kRates{111, 151, 165, 165};

  std::atomic<std::int16_t>& entry(std::size_t part, const chess::Position& position) const {
    const chess::Keys& keys = position.keys();
    const std::array<std::uint64_t, kParts> key{keys.pawn, keys.minor, keys.non_pawn[0],
                                                keys.non_pawn[1]};
    const std::size_t place = key[part] % (kSize / 2) * 2 +
                              static_cast<std::size_t>(chess::index(position.side_to_move()));
    return const_cast<std::atomic<std::int16_t>*>(tables_.data())[part * kSize + place];
  }

  LargeArray<std::atomic<std::int16_t>> tables_;
};

}  // namespace aleph::search
