#include "search/alpha_beta/doubt_memory.h"

#include <doctest/doctest.h>

#include "base/rng.h"

namespace aleph::search {
namespace {

constexpr Doubt kSome{-1024, 1536, 77};

TEST_CASE("a doubt is found again under its key, and under no other") {
  DoubtMemory memory;
  CHECK_FALSE(memory.find(0));  // an empty memory knows nothing, not even of the key of all zeroes
  Rng rng(5);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t key = rng.next();
    memory.keep(key, kSome);
    CHECK(memory.find(key) == kSome);
    CHECK_FALSE(memory.find(key ^ 1));                       // another place
    CHECK_FALSE(memory.find(key ^ std::uint64_t{1} << 63));  // the same place, another position
  }
}

TEST_CASE("the newest doubt of a place is the one that stays") {
  DoubtMemory memory;
  const std::uint64_t old_key = 0x1230'0000'0000'0042, new_key = 0x4560'0000'0000'0042;
  memory.keep(old_key, kSome);
  memory.keep(new_key, Doubt{});
  CHECK_FALSE(memory.find(old_key));
  CHECK(memory.find(new_key) == Doubt{});
}

TEST_CASE("a memory that was cleared knows nothing") {
  DoubtMemory memory;
  memory.keep(42, kSome);
  memory.clear();
  CHECK_FALSE(memory.find(42));
}

}  // namespace
}  // namespace aleph::search
