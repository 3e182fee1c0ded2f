#include "base/memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

using aleph::AlignedVector;
using aleph::HugeAllocator;
using aleph::HugeBuffer;
using aleph::LargeArray;

namespace {

bool aligned(const void* address, std::size_t to) {
  return reinterpret_cast<std::size_t>(address) % to == 0;
}

}  // namespace

TEST_CASE("a large array is zeroed, aligned and writable to its last element") {
  for (const std::size_t count : {1u, 1000u, 300'000u, 1'000'001u}) {
    LargeArray<std::uint64_t> array(count);
    REQUIRE(array.size() == count);
    CHECK(aligned(array.data(), std::size_t{2} << 20));
    CHECK(std::ranges::all_of(array.span(), [](std::uint64_t x) { return x == 0; }));
    std::iota(array.begin(), array.end(), 1);
    CHECK(array[count - 1] == count);
  }
}

TEST_CASE("a vector in huge pages is a vector") {
  std::vector<std::uint64_t, HugeAllocator<std::uint64_t>> values;
  values.reserve(std::size_t{1} << 22);
  CHECK(aligned(values.data(), std::size_t{2} << 20));
  for (std::uint64_t i = 0; i < 3'000'000; ++i) values.push_back(i);
  const auto copy = values;
  values.clear();
  CHECK(values.capacity() == std::size_t{1} << 22);
  for (const std::uint64_t i : {0, 1, 2'999'999}) CHECK(copy[i] == i);
  CHECK_THROWS_AS(HugeAllocator<std::uint64_t>().allocate(~std::size_t{0} / 4), std::bad_alloc);
}

TEST_CASE("an empty large array owns nothing") {
  const LargeArray<int> array(0);
  CHECK(array.size() == 0);
  CHECK(array.data() == nullptr);
  CHECK(array.begin() == array.end());
}

TEST_CASE("moving hands the memory over and leaves nothing behind") {
  LargeArray<int> first(10);
  first[3] = 7;
  const int* const address = first.data();
  LargeArray<int> second(std::move(first));
  CHECK(second.data() == address);
  LargeArray<int> third(5);
  third = std::move(second);
  CHECK(third.size() == 10);
  CHECK(third[3] == 7);
  CHECK(second.size() == 0);  // NOLINT: the state after a move is part of the contract
  CHECK(second.data() == nullptr);
}

TEST_CASE("memory that cannot be had throws bad_alloc") {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  CHECK_THROWS_AS(HugeBuffer{kMost}, std::bad_alloc);
  CHECK_THROWS_AS(HugeBuffer{kMost / 2}, std::bad_alloc);
  CHECK_THROWS_AS(LargeArray<std::uint64_t>{kMost / 8 + 2}, std::bad_alloc);
}

TEST_CASE("aligned vectors start on a cache line, also after growing") {
  AlignedVector<float> vector;
  for (int i = 0; i < 1000; ++i) {
    vector.push_back(static_cast<float>(i));
    REQUIRE(aligned(vector.data(), aleph::kCacheLine));
  }
  CHECK(vector[999] == 999.0F);
}
