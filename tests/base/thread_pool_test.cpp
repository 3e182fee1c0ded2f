#include "base/thread_pool.h"

#include <doctest/doctest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>

using aleph::ThreadPool;

TEST_CASE("submit gives back answers, also ones that cannot be copied") {
  ThreadPool pool(3);
  CHECK(pool.size() == 3);
  std::future<int> number = pool.submit([] { return 42; });
  std::future<std::unique_ptr<int>> owned =
      pool.submit([value = std::make_unique<int>(7)]() mutable { return std::move(value); });
  CHECK(number.get() == 42);
  CHECK(*owned.get() == 7);
}

TEST_CASE("a task's exception arrives at its future and harms nobody else") {
  ThreadPool pool(1);
  std::future<void> failed = pool.submit([] { throw std::runtime_error("out of ink"); });
  CHECK_THROWS_WITH(failed.get(), "out of ink");
  CHECK(pool.submit([] { return 1; }).get() == 1);
}

TEST_CASE("a pool of no workers has one") {
  ThreadPool pool(0);
  CHECK(pool.size() == 1);
  CHECK(pool.submit([] { return 5; }).get() == 5);
}

TEST_CASE("the destructor finishes what was submitted") {
  std::atomic<int> done = 0;
  {
    ThreadPool pool(2);
    for (int i = 0; i < 100; ++i) (void)pool.submit([&] { ++done; });
  }
  CHECK(done == 100);
}

TEST_CASE("parallel_for calls every index once") {
  ThreadPool pool(4);
  for (const std::size_t count : {0u, 1u, 3u, 4u, 5u, 10'000u}) {
    std::vector<std::atomic<int>> calls(count);
    pool.parallel_for(count, [&](std::size_t i) { ++calls[i]; });
    for (const std::atomic<int>& times : calls) REQUIRE(times == 1);
  }
}

TEST_CASE("parallel_for throws the exception and abandons the rest") {
  ThreadPool pool(2);
  std::atomic<int> calls = 0;
  const auto work = [&](std::size_t i) {
    ++calls;
    if (i == 10) throw std::runtime_error("index ten");
  };
  CHECK_THROWS_WITH(pool.parallel_for(1'000'000, work), "index ten");
  CHECK(calls < 1'000'000);
  pool.parallel_for(10, [&](std::size_t) { ++calls; });  // the pool is still good
}

TEST_CASE("parallel_for works from inside a task of the same pool") {
  ThreadPool pool(1);
  std::future<int> sum = pool.submit([&] {
    std::atomic<int> total = 0;
    pool.parallel_for(10, [&](std::size_t i) { total += static_cast<int>(i); });
    return total.load();
  });
  CHECK(sum.get() == 45);
}
