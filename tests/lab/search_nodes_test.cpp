#include "lab/label/search_nodes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "nnue/made_up_network.h"
#include "search/random_positions.h"

using namespace aleph;
using namespace aleph::lab;

namespace {

constexpr const char* kMate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";

struct Bench {
  eval::NnueModels models;
  Interrupt interrupt;

  Bench() {
    const auto known = nnue::known_architectures();
    const auto network = test::made_up_network(
        *std::ranges::min_element(known, {}, &nnue::Architecture::width), 4, 20);
    models.main = std::make_shared<const nnue::Model>(network);
  }

  PositionList run(PositionList list, SearchNodeSettings settings, std::size_t threads) const {
    CHECK(replace_by_search_nodes(list, settings, models, threads, interrupt,
                                  [](std::uint64_t, std::uint64_t) {}));
    return list;
  }
};

PositionList random_positions(std::size_t count) {
  PositionList list;
  test::visit_random_positions(5, static_cast<int>(count), [&](const chess::Position& position) {
    list.add(chess::pack(position), 1, static_cast<std::int64_t>(list.size()));
  });
  return list;
}

}  // namespace

TEST_CASE("searches lead to other positions, the same with any number of threads") {
  const Bench bench;
  const PositionList start = random_positions(600);
  const PositionList one = bench.run(start, {200, 7}, 1);
  const PositionList three = bench.run(start, {200, 7}, 3);
  const PositionList other = bench.run(start, {200, 8}, 1);
  CHECK(one.fingerprint() == three.fingerprint());
  CHECK(one.fingerprint() != other.fingerprint());
  CHECK(one.game_ids == start.game_ids);
  std::size_t moved = 0;
  std::set<int> plies;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const chess::Position from = chess::unpack(start.positions[i]).take();
    const chess::Position to = chess::unpack(one.positions[i]).take();
    if (one.positions[i] == start.positions[i]) continue;
    ++moved;
    CHECK_FALSE(to.in_check());
    CHECK(one.outcomes[i] == PositionList::kUnknown);
    plies.insert(to.game_ply() - from.game_ply());
  }
  CHECK(moved > one.size() * 8 / 10);
  CHECK(plies.size() >= 4);  // one move away, and further
}

TEST_CASE("without nodes, and where the game is over, positions stay") {
  const Bench bench;
  const PositionList start = random_positions(5);
  CHECK(bench.run(start, {0, 7}, 1).fingerprint() == start.fingerprint());
  PositionList mate;
  mate.add(chess::pack(chess::parse_fen(kMate).take()), 1, 0);
  CHECK(bench.run(mate, {100, 7}, 1).positions == mate.positions);
}

TEST_CASE("an interrupt ends it") {
  Bench bench;
  bench.interrupt.raise();
  PositionList list = random_positions(5);
  CHECK_FALSE(replace_by_search_nodes(list, {100, 7}, bench.models, 1, bench.interrupt,
                                      [](std::uint64_t, std::uint64_t) {}));
}
