#include "eval/cache.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace aleph::eval {

namespace {

// In front of the priors of an answer.
struct Head {
  std::uint64_t key = 0;
  float win = 0, draw = 0, loss = 0, value = 0, moves_left = 0, think_time = 0;
  std::uint16_t moves = 0;
  std::uint16_t wanted = 0;  // asked for since it was stored or last spared

  std::size_t size() const { return size_for(moves); }
  static std::size_t size_for(std::size_t moves) {
    constexpr std::size_t kGrain = 8;
    return sizeof(Head) + (moves * sizeof(std::uint16_t) + kGrain - 1) / kGrain * kGrain;
  }
};

// Floats from 2^-31 to 1 have these exponents, as they are kept.
constexpr std::uint32_t kLeast = 96U << 23, kRounding = 1U << 11;

}  // namespace

std::uint16_t pack_prior(float prior) {
  if (!(prior > 0)) return 0;  // nor NaN
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(std::min(prior, 1.0F)) + kRounding;
  return bits < kLeast ? std::uint16_t{0} : static_cast<std::uint16_t>((bits - kLeast) >> 12);
}

float unpack_prior(std::uint16_t packed) {
  if (packed == 0) return 0;
  return std::bit_cast<float>((std::uint32_t{packed} << 12) + kLeast);
}

// Answers behind each other, the oldest first.
struct LeafCache::Bucket {
  static constexpr std::size_t kRoom = kBucketBytes - 2 * sizeof(std::uint32_t);
  std::uint32_t used, answers;
  std::array<std::byte, kRoom> bytes;

  Head head(std::size_t at) const {
    Head head;
    std::memcpy(&head, bytes.data() + at, sizeof head);
    return head;
  }
  void put(std::size_t at, const Head& head) { std::memcpy(bytes.data() + at, &head, sizeof head); }
  // Where the answer is; kRoom: nowhere.
  std::size_t find(std::uint64_t key) const {
    for (std::size_t at = 0; at < used; at += head(at).size())
      if (head(at).key == key) return at;
    return kRoom;
  }
  void erase(std::size_t at) {
    const std::size_t size = head(at).size(), next = at + size;
    std::memmove(bytes.data() + at, bytes.data() + next, used - next);
    used -= static_cast<std::uint32_t>(size);
    --answers;
  }
  // The oldest goes, or to the end of the queue if somebody has asked for it.
  void drive_one_out() {
    Head oldest = head(0);
    if (oldest.wanted == 0) return erase(0);
    oldest.wanted = 0;
    put(0, oldest);
    std::rotate(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(oldest.size()),
                bytes.begin() + static_cast<std::ptrdiff_t>(used));
  }
};

LeafCache::LeafCache(std::size_t bytes)
    : memory_(std::max<std::size_t>(bytes / kBucketBytes, 1) * kBucketBytes),
      buckets_(memory_.size() / kBucketBytes) {
  static_assert(sizeof(Bucket) == kBucketBytes);
  static_assert(Bucket::kRoom >= sizeof(Head) + chess::MoveList::kCapacity * sizeof(std::uint16_t));
}

std::size_t LeafCache::bucket_of(std::uint64_t key) const {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::size_t>(Wide{key} * Wide{buckets_} >> 64);
}

LeafCache::Bucket& LeafCache::bucket(std::size_t number) const {
  return static_cast<Bucket*>(memory_.data())[number];
}

bool LeafCache::find(std::uint64_t key, std::size_t moves, LeafResult& result) const {
  const std::size_t number = bucket_of(key);
  Bucket& b = bucket(number);
  Stripe& s = stripe(number);
  const std::lock_guard lock(s.mutex);
  ++s.lookups;
  const std::size_t at = b.find(key);
  if (at == Bucket::kRoom) return false;
  Head head = b.head(at);
  if (head.moves != moves) return false;
  ++s.hits;
  head.wanted = 1;
  b.put(at, head);
  result.win = head.win;
  result.draw = head.draw;
  result.loss = head.loss;
  result.value = head.value;
  result.moves_left = head.moves_left;
  result.think_time = head.think_time;
  const std::byte* const packed = b.bytes.data() + at + sizeof(Head);
  for (std::size_t i = 0; i < moves; ++i) {
    std::uint16_t prior;
    std::memcpy(&prior, packed + i * sizeof prior, sizeof prior);
    result.priors[i] = unpack_prior(prior);
  }
  return true;
}

void LeafCache::store(std::uint64_t key, std::size_t moves, const LeafResult& result) {
  assert(moves <= result.priors.size());
  const std::size_t number = bucket_of(key), size = Head::size_for(moves);
  Bucket& b = bucket(number);
  const std::lock_guard lock(stripe(number).mutex);
  // Another thread may have been first, or it is the answer of a namesake.
  if (const std::size_t at = b.find(key); at != Bucket::kRoom) b.erase(at);
  while (b.used + size > Bucket::kRoom) b.drive_one_out();
  const Head head{key,
                  result.win,
                  result.draw,
                  result.loss,
                  result.value,
                  result.moves_left,
                  result.think_time,
                  static_cast<std::uint16_t>(moves),
                  0};
  b.put(b.used, head);
  std::byte* const packed = b.bytes.data() + b.used + sizeof(Head);
  for (std::size_t i = 0; i < moves; ++i) {
    const std::uint16_t prior = pack_prior(result.priors[i]);
    std::memcpy(packed + i * sizeof prior, &prior, sizeof prior);
  }
  b.used += static_cast<std::uint32_t>(size);
  ++b.answers;
}

void LeafCache::clear() {
  for (std::size_t first = 0; first < kStripes; ++first) {
    const std::lock_guard lock(stripes_[first].mutex);
    stripes_[first].lookups = stripes_[first].hits = 0;
    for (std::size_t number = first; number < buckets_; number += kStripes)
      bucket(number).used = bucket(number).answers = 0;
  }
}

CacheStatistics LeafCache::statistics() const {
  CacheStatistics sum;
  sum.bytes = memory_.size();
  for (std::size_t first = 0; first < kStripes; ++first) {
    const std::lock_guard lock(stripes_[first].mutex);
    sum.lookups += stripes_[first].lookups;
    sum.hits += stripes_[first].hits;
    for (std::size_t number = first; number < buckets_; number += kStripes) {
      sum.answers += bucket(number).answers;
      sum.bytes_used += bucket(number).used;
    }
  }
  return sum;
}

}  // namespace aleph::eval
