#include "train/replicas.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace aleph::train {
namespace {

TEST_CASE("pieces are taken in order, whoever made them") {
  for (const std::size_t count : {1U, 2U, 5U}) {
    Replicas replicas(count);
    CHECK(replicas.count() == count);
    std::vector<std::size_t> made_by(20), order;
    replicas.run(
        20,
        [&](std::size_t replica, std::size_t piece) {
          made_by[piece] = replica;
          // Later pieces are faster.
          std::this_thread::sleep_for(std::chrono::microseconds(50 * (20 - piece)));
        },
        [&](std::size_t replica, std::size_t piece) {
          CHECK(made_by[piece] == replica);
          order.push_back(piece);
        });
    REQUIRE(order.size() == 20);
    for (std::size_t i = 0; i < 20; ++i) CHECK(order[i] == i);
  }
}

TEST_CASE("nothing to do is done at once") {
  Replicas replicas(2);
  replicas.run(
      0, [](std::size_t, std::size_t) { FAIL("there is no piece"); },
      [](std::size_t, std::size_t) { FAIL("there is no piece"); });
}

TEST_CASE("an exception ends the run, and the next run is as if nothing had been") {
  Replicas replicas(3);
  const auto nothing = [](std::size_t, std::size_t) {};
  CHECK_THROWS_AS(replicas.run(
                      50,
                      [](std::size_t, std::size_t piece) {
                        if (piece == 7) throw std::runtime_error("seven");
                      },
                      nothing),
                  std::runtime_error);
  CHECK_THROWS_AS(replicas.run(50, nothing,
                               [](std::size_t, std::size_t piece) {
                                 if (piece == 7) throw std::runtime_error("seven");
                               }),
                  std::runtime_error);
  std::atomic<int> made = 0;
  replicas.run(
      50, [&](std::size_t, std::size_t) { ++made; }, nothing);
  CHECK(made == 50);
}

}  // namespace
}  // namespace aleph::train
