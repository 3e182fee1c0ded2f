#include "eval/cache.h"

#include <doctest/doctest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "base/rng.h"

namespace aleph::eval {
namespace {

// An answer that can be told from others: its numbers come from its key.
LeafResult answer_for(std::uint64_t key, std::size_t moves) {
  LeafResult result;
  Rng rng(key);
  float sum = 0;
  for (std::size_t i = 0; i < moves; ++i) {
    result.priors[i] = static_cast<float>(rng.uniform()) + 1e-3F;
    sum += result.priors[i];
  }
  for (std::size_t i = 0; i < moves; ++i) result.priors[i] /= sum;
  result.win = static_cast<float>(rng.uniform()) / 2;
  result.draw = static_cast<float>(rng.uniform()) / 2;
  result.loss = 1 - result.win - result.draw;
  result.value = result.win - result.loss;
  result.moves_left = static_cast<float>(rng.below(200));
  result.think_time = static_cast<float>(rng.uniform());
  return result;
}

bool is_answer_for(std::uint64_t key, std::size_t moves, const LeafResult& result) {
  const LeafResult expected = answer_for(key, moves);
  for (std::size_t i = 0; i < moves; ++i)
    if (result.priors[i] != unpack_prior(pack_prior(expected.priors[i]))) return false;
  return result.win == expected.win && result.draw == expected.draw &&
         result.loss == expected.loss && result.value == expected.value &&
         result.moves_left == expected.moves_left && result.think_time == expected.think_time;
}

std::size_t moves_of(std::uint64_t key) { return Rng(key ^ 99).below(219); }

TEST_CASE("priors keep their size to one part in 4096") {
  for (const float exact : {0.0F, 1.0F, 0.5F, 0.25F, 0x1p-30F})
    CHECK(unpack_prior(pack_prior(exact)) == exact);
  Rng rng(5);
  for (int i = 0; i < 100'000; ++i) {
    const float prior = static_cast<float>(std::exp2(-30 * rng.uniform()));
    const float kept = unpack_prior(pack_prior(prior));
    REQUIRE(std::abs(kept - prior) <= prior / 4096);
    REQUIRE(kept <= 1);
    REQUIRE(pack_prior(kept) == pack_prior(prior));  // once rounded, it stays
  }
  CHECK(unpack_prior(pack_prior(1e-12F)) == 0);
  CHECK(unpack_prior(pack_prior(-1)) == 0);
  CHECK(unpack_prior(pack_prior(1.001F)) == 1);
  CHECK(unpack_prior(pack_prior(std::nanf(""))) == 0);
}

TEST_CASE("what was stored is found, whatever the number of moves") {
  LeafCache cache(1 << 20);
  Rng rng(1);
  for (std::size_t moves = 0; moves <= chess::MoveList::kCapacity; ++moves) {
    const std::uint64_t key = rng.next();
    LeafResult result;
    CHECK_FALSE(cache.find(key, moves, result));
    cache.store(key, moves, answer_for(key, moves));
    REQUIRE(cache.find(key, moves, result));
    CHECK(is_answer_for(key, moves, result));
  }
  const CacheStatistics statistics = cache.statistics();
  CHECK(statistics.lookups == 514);
  CHECK(statistics.hits == 257);
  CHECK(statistics.hit_rate() == 0.5);
  CHECK(statistics.answers == 257);
}

TEST_CASE("a namesake with another number of moves is not found, and may take the place") {
  LeafCache cache(4096);
  LeafResult result;
  cache.store(42, 20, answer_for(42, 20));
  CHECK_FALSE(cache.find(42, 21, result));
  CHECK_FALSE(cache.find(43, 20, result));
  CHECK(cache.find(42, 20, result));
  cache.store(42, 21, answer_for(42, 21));
  CHECK_FALSE(cache.find(42, 20, result));
  CHECK(cache.find(42, 21, result));
  CHECK(cache.statistics().answers == 1);
}

TEST_CASE("memory stays within its limit over millions of answers, and answers stay right") {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1024}, std::size_t{1} << 20}) {
    LeafCache cache(bytes);
    Rng rng(bytes);
    std::uint64_t wrong = 0, found = 0;
    std::vector<std::uint64_t> latest(64);
    for (int i = 0; i < 1'000'000; ++i) {
      const std::uint64_t key = rng.next();
      cache.store(key, moves_of(key), answer_for(1, 0));
      if (i % 16 != 0) continue;
      // The full check is dear: some of the answers only.
      cache.store(key, moves_of(key), answer_for(key, moves_of(key)));
      latest[static_cast<std::size_t>(i / 16) % latest.size()] = key;
      const std::uint64_t other = latest[rng.below(latest.size())];
      LeafResult result;
      if (!cache.find(other, moves_of(other), result)) continue;
      ++found;
      if (!is_answer_for(other, moves_of(other), result)) ++wrong;
    }
    const CacheStatistics statistics = cache.statistics();
    CHECK(statistics.bytes == std::max<std::size_t>(bytes, 1024));
    CHECK(statistics.bytes_used <= statistics.bytes);
    CHECK(statistics.answers >= statistics.bytes / 1024 * 2);
    CHECK(wrong == 0);
    CHECK(found > 100);
  }
}

TEST_CASE("what is asked for again and again outlives what is not") {
  LeafCache cache(64 << 10);
  Rng rng(3);
  std::vector<std::uint64_t> favourites(50);
  for (auto& key : favourites) key = rng.next();
  std::uint64_t asked = 0, found = 0;
  LeafResult result;
  for (int round = 0; round < 200; ++round) {
    for (const auto key : favourites) {
      ++asked;
      if (cache.find(key, 30, result))
        ++found;
      else
        cache.store(key, 30, answer_for(key, 30));
    }
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t key = rng.next();
      cache.store(key, 30, answer_for(key, 30));
    }
  }
  CHECK(found > asked * 9 / 10);
}

TEST_CASE("clearing forgets everything") {
  LeafCache cache(1 << 20);
  LeafResult result;
  for (std::uint64_t i = 1; i < 1000; ++i) cache.store(Rng(i).next(), 5, answer_for(i, 5));
  cache.clear();
  const CacheStatistics statistics = cache.statistics();
  CHECK((statistics.answers == 0 && statistics.bytes_used == 0 && statistics.lookups == 0));
  CHECK_FALSE(cache.find(Rng(1).next(), 5, result));
}

TEST_CASE("threads share it") {
  LeafCache cache(256 << 10);
  std::vector<std::uint64_t> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&cache, &wrong, t] {
      Rng rng(t);
      LeafResult result;
      for (int i = 0; i < 50'000; ++i) {
        const std::uint64_t key = Rng(rng.below(3000)).next();
        const std::size_t moves = moves_of(key);
        if (!cache.find(key, moves, result))
          cache.store(key, moves, answer_for(key, moves));
        else if (!is_answer_for(key, moves, result))
          ++wrong[t];
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::uint64_t count : wrong) CHECK(count == 0);
  CHECK(cache.statistics().lookups == 200'000);
}

}  // namespace
}  // namespace aleph::eval
