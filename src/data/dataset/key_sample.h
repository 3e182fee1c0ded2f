// How many keys of a stream have been there before, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace aleph::data {

// Counts all keys while they are few. When they become too many, those that end with a certain
// number of zero bits stand for the others: whatever has such a key is still counted, with all its
// copies, so that the share of copies is that of the whole. With millions of keys in the sample the
// error is far below a percent.
class KeySample {
 public:
  static constexpr std::size_t kMostKeys = 4'000'000;  // some 160 MB

  explicit KeySample(std::size_t most_keys = kMostKeys) : most_keys_(most_keys) {}

  // The bits of keys must be well mixed: every one of them as good as a coin.
  void add(std::uint64_t key) {
    if ((key & mask_) != 0) return;
    ++counts_[key];
    ++sampled_;
    while (counts_.size() > most_keys_) thin_out();
  }

  // Keys that were not the first of their kind.
  std::uint64_t repeated() const { return (sampled_ - counts_.size()) * (mask_ + 1); }
  bool is_exact() const { return mask_ == 0; }

 private:
  void thin_out() {
    mask_ = mask_ * 2 + 1;
    std::erase_if(counts_, [this](const auto& entry) { return (entry.first & mask_) != 0; });
    sampled_ = 0;
    for (const auto& entry : counts_) sampled_ += entry.second;
  }

  std::size_t most_keys_;
  std::uint64_t mask_ = 0, sampled_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;
};

}  // namespace aleph::data
