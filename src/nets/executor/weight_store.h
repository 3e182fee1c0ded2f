// Packed weights of all layers, one behind the other in huge pages: a run reads all of them, in
// this order, and small pages would stop the processor's reading ahead 4 KiB by 4 KiB.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "base/memory.h"

namespace aleph::nets {

class WeightStore {
 public:
  // A copy that lives as long as the store does, aligned to cache lines.
  template <class T>
  std::span<const T> keep(const AlignedVector<T>& numbers) {
    const std::size_t bytes = numbers.size() * sizeof(T);
    if (bytes == 0) return {};
    void* const to = room(bytes);
    std::memcpy(to, numbers.data(), bytes);
    return {static_cast<const T*>(to), numbers.size()};
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{16} << 20;

  void* room(std::size_t bytes) {
    const std::size_t wanted = (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
    if (chunks_.empty() || used_ + wanted > chunks_.back().size()) {
      chunks_.emplace_back(wanted > kChunk ? wanted : kChunk);
      used_ = 0;
    }
    void* const place = static_cast<std::byte*>(chunks_.back().data()) + used_;
    used_ += wanted;
    return place;
  }

  std::vector<HugeBuffer> chunks_;
  std::size_t used_ = 0;  // of the last chunk
};

}  // namespace aleph::nets
