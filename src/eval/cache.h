// Answers of a network that were given before, in memory of a fixed size. Shared by all threads of
// a search; it belongs to one network with one temperature, and must be cleared for another.
//
// Answers are of different lengths, as positions have different numbers of moves. So the memory is
// cut into buckets of 1 KiB, a key belongs to one of them, and a bucket holds as many answers as
// fit, oldest first: about nine. A new one drives out the oldest that was not asked for since it
// was last spared. Small locks, each for every 64th bucket, are held for some dozens of
// nanoseconds, so that threads hardly ever meet.
//
// Priors are kept in 16 bits: five of the exponent, eleven behind the point, so they are right to
// one part in 4096, and what is below 2^-31 becomes 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "base/memory.h"
#include "eval/batch_evaluator.h"

namespace aleph::eval {

struct CacheStatistics {
  std::uint64_t lookups = 0, hits = 0;  // since it was made or cleared
  std::size_t answers = 0;              // in it now
  std::size_t bytes_used = 0, bytes = 0;
  double hit_rate() const {
    return lookups == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(lookups);
  }
};

class LeafCache {
 public:
  // Takes this many bytes, rounded down to whole buckets but to no fewer than one. Throws
  // std::bad_alloc.
  explicit LeafCache(std::size_t bytes);

  // The key must be well mixed. An answer for another number of moves is none: should two positions
  // have the same key, then at worst a prior is that of another move.
  bool find(std::uint64_t key, std::size_t moves, LeafResult& result) const;
  void store(std::uint64_t key, std::size_t moves, const LeafResult& result);

  void clear();
  CacheStatistics statistics() const;

 private:
  struct Bucket;
  struct alignas(kCacheLine) Stripe {
    mutable std::mutex mutex;
    mutable std::uint64_t lookups = 0, hits = 0;
  };
  static constexpr std::size_t kBucketBytes = 1024, kStripes = 64;

  std::size_t bucket_of(std::uint64_t key) const;
  Bucket& bucket(std::size_t number) const;
  Stripe& stripe(std::size_t bucket_number) const { return stripes_[bucket_number % kStripes]; }

  HugeBuffer memory_;
  std::size_t buckets_;
  mutable std::array<Stripe, kStripes> stripes_;
};

// What a prior is after it was kept.
std::uint16_t pack_prior(float prior);
float unpack_prior(std::uint16_t packed);

}  // namespace aleph::eval
