#include "search/table.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <new>
#include <thread>
#include <vector>

#include "base/rng.h"

namespace aleph::search {
namespace {

using chess::Move;
using chess::Square;
using eval::Score;

constexpr std::array kBounds{Bound::None, Bound::Upper, Bound::Lower, Bound::Exact};

TranspositionTable table_of(std::size_t mebibytes) {
  TranspositionTable table;
  table.resize(mebibytes);
  return table;
}

// With one mebibyte the uppermost 15 bits choose among 32768 clusters.
std::uint64_t key_in(std::uint64_t cluster, std::uint64_t low) { return cluster << 49 | low; }

Move move(int from, int to) { return Move(Square::from_index(from), Square::from_index(to)); }

TableData data(int depth, Bound bound = Bound::Lower, int score = 10, Move best = move(12, 28)) {
  TableData made;
  made.move = best;
  made.score = Score::from_eval(score);
  made.static_eval = Score::from_eval(score - 1);
  made.depth = depth;
  made.bound = bound;
  return made;
}

void store(const TranspositionTable& table, std::uint64_t key, const TableData& what) {
  table.store(table.probe(key).slot, key, what);
}

bool same(const TableData& a, const TableData& b) {
  return a.move == b.move && a.score == b.score && a.static_eval == b.static_eval &&
         a.depth == b.depth && a.bound == b.bound && a.is_pv == b.is_pv;
}

TEST_CASE("every field comes back as it was stored") {
  const auto table = table_of(1);
  std::uint64_t cluster = 0;
  const auto check = [&](const TableData& what) {
    ++cluster;
    const std::uint64_t key = key_in(cluster % 32'768, 1 + cluster / 32'768);
    store(table, key, what);
    const auto probe = table.probe(key);
    CHECK((probe.found && same(probe.data, what)));
  };
  for (int depth = TranspositionTable::kUnsearched; depth < Score::kMaxPly - 10; ++depth)
    check(data(depth));
  for (const Bound bound : kBounds)
    for (const bool is_pv : {false, true}) {
      TableData what = data(3, bound);
      what.is_pv = is_pv;
      check(what);
    }
  for (int units = -32'200; units <= 32'200; units += 7) {
    TableData what = data(3);
    what.score = Score::from_units(units);
    what.static_eval = Score::from_eval(-units);
    check(what);
    what.static_eval = {};
    check(what);
  }
  for (const Score score : {Score::infinite(), -Score::infinite(), Score::mate_in(0)}) {
    TableData what = data(3);
    what.score = score;
    check(what);
  }
  for (int bits = 0; bits < 65'536; bits += 13)
    check(data(3, Bound::Exact, 5, Move::from_bits(static_cast<std::uint16_t>(bits))));
}

TEST_CASE("what was not stored is not found") {
  const auto table = table_of(1);
  CHECK(!table.probe(0).found);
  CHECK(!table.probe(~std::uint64_t{0}).found);
  store(table, key_in(5, 77), data(4));
  CHECK(table.probe(key_in(5, 77)).found);
  CHECK(!table.probe(key_in(5, 78)).found);  // another key of the same cluster
  CHECK(!table.probe(key_in(6, 77)).found);  // the same low bits in another cluster
}

TEST_CASE("keys that agree in their cluster and their low 16 bits are taken for one") {
  const auto table = table_of(1);
  store(table, key_in(5, 77), data(4, Bound::Exact, 123));
  const auto probe = table.probe(key_in(5, 77) ^ std::uint64_t{1} << 30);
  CHECK(probe.found);
  CHECK(probe.data.score == Score::from_eval(123));
}

TEST_CASE("three positions share a cluster; a fourth takes the place of the shallowest") {
  const auto table = table_of(1);
  store(table, key_in(9, 1), data(8));
  store(table, key_in(9, 2), data(3));
  store(table, key_in(9, 3), data(12));
  for (const std::uint64_t low : {1, 2, 3}) CHECK(table.probe(key_in(9, low)).found);
  store(table, key_in(9, 4), data(1));
  CHECK(table.probe(key_in(9, 1)).found);
  CHECK(!table.probe(key_in(9, 2)).found);
  CHECK(table.probe(key_in(9, 3)).found);
  CHECK(table.probe(key_in(9, 4)).found);
}

TEST_CASE("what earlier searches stored gives way, the deeper the later") {
  auto table = table_of(1);
  store(table, key_in(9, 1), data(20));
  table.start_new_search();
  store(table, key_in(9, 2), data(14));
  table.start_new_search();
  store(table, key_in(9, 3), data(9));
  // Worth their depths less 16, 8 and 0.
  store(table, key_in(9, 4), data(0));
  CHECK(!table.probe(key_in(9, 1)).found);
  CHECK(table.probe(key_in(9, 2)).found);
  CHECK(table.probe(key_in(9, 3)).found);
}

TEST_CASE("the age of an entry goes round without harm") {
  auto table = table_of(1);
  for (int search = 0; search < 100; ++search) {
    table.start_new_search();
    store(table, key_in(9, 1), data(10, Bound::Lower, search));
    CHECK(table.probe(key_in(9, 1)).data.score == Score::from_eval(search));
    CHECK(table.permille_full() == 0);  // one of three thousand
  }
}

TEST_CASE("a shallower search of the same position is not worth overwriting a deeper one") {
  const auto table = table_of(1);
  const std::uint64_t key = key_in(3, 9);
  const auto overwrites = [&](int depth, bool is_pv, Bound bound) {
    store(table, key, data(20, Bound::Exact, 100));
    TableData second = data(depth, bound, 200);
    second.is_pv = is_pv;
    store(table, key, second);
    const auto probe = table.probe(key);
    const bool second_is_there = probe.data.score == Score::from_eval(200);
    CHECK(probe.data.depth == (second_is_there ? depth : 20));
    CHECK(probe.data.bound == (second_is_there ? bound : Bound::Exact));
    CHECK(probe.data.is_pv == (second_is_there && is_pv));
    return second_is_there;
  };
  CHECK(overwrites(17, false, Bound::Lower));
  CHECK(!overwrites(16, false, Bound::Lower));
  CHECK(overwrites(15, true, Bound::Lower));  // a main line counts two plies more
  CHECK(!overwrites(14, true, Bound::Lower));
  CHECK(overwrites(1, false, Bound::Exact));  // an exact score always counts
  CHECK(overwrites(25, false, Bound::Upper));
}

TEST_CASE("the next search overwrites even deeper entries of the same position") {
  auto table = table_of(1);
  const std::uint64_t key = key_in(3, 9);
  store(table, key, data(20));
  table.start_new_search();
  store(table, key, data(1, Bound::Upper, 55));
  CHECK(table.probe(key).data.depth == 1);
}

TEST_CASE("the move of an entry is renewed by every search that has one, and kept by others") {
  const auto table = table_of(1);
  const std::uint64_t key = key_in(3, 9);
  store(table, key, data(20, Bound::Exact, 100, move(1, 18)));
  store(table, key, data(5, Bound::Lower, 200, move(6, 21)));  // not overwritten but for the move
  CHECK(table.probe(key).data.move == move(6, 21));
  CHECK(table.probe(key).data.score == Score::from_eval(100));
  store(table, key, data(5, Bound::Exact, 300, Move()));
  CHECK(table.probe(key).data.move == move(6, 21));
  CHECK(table.probe(key).data.score == Score::from_eval(300));
  // Another position that takes the entry does not inherit the move.
  for (const std::uint64_t low : {10, 11}) store(table, key_in(3, low), data(30));
  store(table, key_in(3, 12), data(6, Bound::Lower, 1, Move()));
  REQUIRE(!table.probe(key).found);
  CHECK(table.probe(key_in(3, 12)).data.move == Move());
}

TEST_CASE("a deep bound that is not overwritten fades, an exact score does not") {
  const auto table = table_of(1);
  const std::uint64_t key = key_in(3, 9);
  store(table, key, data(20, Bound::Lower));
  store(table, key, data(3, Bound::Lower, 0));
  CHECK(table.probe(key).data.depth == 19);
  store(table, key, data(20, Bound::Exact));
  store(table, key, data(3, Bound::Lower, 0));
  CHECK(table.probe(key).data.depth == 20);
  // In the end even a deep bound is overwritten.
  store(table, key, data(20, Bound::Upper));
  int tries = 0;
  while (table.probe(key).data.depth != 3 && tries < 50) {
    store(table, key, data(3, Bound::Lower, 0));
    ++tries;
  }
  CHECK(tries == 15);
}

TEST_CASE("clearing and resizing forget, resizing to the same size does not") {
  auto table = table_of(2);
  CHECK(table.mebibytes() == 2);
  const auto fill = [&] {
    for (std::uint64_t cluster = 0; cluster < 32'768; ++cluster)
      store(table, key_in(cluster, 7), data(5));
  };
  const auto found = [&] {
    int count = 0;
    for (std::uint64_t cluster = 0; cluster < 32'768; ++cluster)
      count += static_cast<int>(table.probe(key_in(cluster, 7)).found);
    return count;
  };
  fill();
  CHECK(found() == 32'768);
  table.resize(2);
  CHECK(found() == 32'768);
  table.resize(1);
  CHECK(found() == 0);
  for (const int threads : {1, 2, 3, 7}) {
    fill();
    table.clear(threads);
    CHECK(found() == 0);
    CHECK(table.permille_full() == 0);
  }
}

TEST_CASE("a size that cannot be had leaves the table as it was") {
  auto table = table_of(1);
  store(table, key_in(4, 4), data(6, Bound::Exact, 44));
  CHECK_THROWS_AS(table.resize(std::size_t{1} << 36), std::bad_alloc);
  CHECK(table.mebibytes() == 1);
  CHECK(table.probe(key_in(4, 4)).data.score == Score::from_eval(44));
}

TEST_CASE("how full the table is counts the entries of this search") {
  auto table = table_of(1);
  CHECK(TranspositionTable().permille_full() == 0);
  CHECK(table.permille_full() == 0);
  for (std::uint64_t cluster = 0; cluster < 32'768; ++cluster)
    store(table, key_in(cluster, 1), data(5));
  CHECK(table.permille_full() == 333);
  for (const std::uint64_t low : {2, 3})
    for (std::uint64_t cluster = 0; cluster < 32'768; ++cluster)
      store(table, key_in(cluster, low), data(5));
  CHECK(table.permille_full() == 1000);
  table.start_new_search();
  CHECK(table.permille_full() == 0);
}

TEST_CASE("mates and tablebase wins count from the node in the table, from the root outside") {
  CHECK(to_table(Score::mate_in(7), 3) == Score::mate_in(4));
  CHECK(to_table(Score::mated_in(9), 9) == Score::mated_in(0));
  CHECK(to_table(Score::tablebase_win_in(5), 5) == Score::tablebase_win_in(0));
  for (const int clock : {0, 20, 99})
    for (int ply = 0; ply <= 150; ++ply)
      for (int distance = 0; distance <= 100 - clock; ++distance) {
        const int end = ply + distance;
        bool kept = true;
        for (const Score score : {Score::mate_in(end), Score::mated_in(end),
                                  Score::tablebase_win_in(end), Score::tablebase_loss_in(end)})
          kept = kept && from_table(to_table(score, ply), ply, clock) == score;
        CHECK(kept);
      }
}

TEST_CASE("a proof that the fifty-move rule may overtake is only a very good evaluation") {
  for (int clock = 0; clock <= 100; ++clock)
    for (int distance = 0; distance <= 120; ++distance) {
      const bool in_time = distance <= 100 - clock;
      const Score win = from_table(Score::mate_in(distance), 2, clock);
      const Score loss = from_table(Score::tablebase_loss_in(distance), 2, clock);
      CHECK(win ==
            (in_time ? Score::mate_in(distance + 2) : Score::from_eval(Score::kMaxEvaluation)));
      CHECK(loss == (in_time ? Score::tablebase_loss_in(distance + 2)
                             : Score::from_eval(-Score::kMaxEvaluation)));
    }
}

TEST_CASE("evaluations are stored as they are") {
  for (int units = -Score::kMaxEvaluation; units <= Score::kMaxEvaluation; units += 19) {
    const Score score = Score::from_eval(units);
    CHECK((to_table(score, 30) == score && from_table(score, 30, 90) == score));
  }
}

TEST_CASE("any stored score gives a sensible one at any ply and clock") {
  for (int units = -32'200; units <= 32'200; ++units) {
    const Score stored = Score::from_units(units);
    bool sensible = true;
    for (const int ply : {0, 1, 57, 245})
      for (const int clock : {0, 1, 50, 99, 100, 150}) {
        const Score score = from_table(stored, ply, clock);
        const bool known = score.is_evaluation() || score.is_mate() || score.is_tablebase();
        sensible = sensible && known && (score.units() > 0) == (units > 0) &&
                   (score.units() < 0) == (units < 0);
        if (score.is_proven()) sensible = sensible && score.plies_to_end() >= ply;
      }
    CHECK(sensible);
  }
}

// Everything in an entry follows from one number, so that a torn one can be told.
TableData data_of(std::uint64_t seed) {
  Rng rng(seed);
  TableData made;
  made.move = Move::from_bits(static_cast<std::uint16_t>(rng.next()));
  made.score = Score::from_units(static_cast<int>(rng.below(64'401)) - 32'200);
  made.static_eval = Score::from_units(static_cast<int>(rng.below(60'001)) - 30'000);
  made.depth = static_cast<int>(rng.below(240)) - 2;
  made.bound = static_cast<Bound>(rng.below(4));
  made.is_pv = rng.below(2) == 1;
  return made;
}

TEST_CASE("threads may store and probe at once: each field is one that was stored") {
  auto table = table_of(1);
  constexpr std::uint64_t kSeeds = 8;
  constexpr int kRounds = 40'000;
  const auto key = key_in(11, 5);
  std::atomic<int> wrong{0};
  const auto hammer = [&](std::uint64_t seed) {
    Rng rng(seed);
    for (int round = 0; round < kRounds; ++round) {
      table.prefetch(key);
      const auto probe = table.probe(key);
      if (probe.found) {
        bool move_known = false, score_known = false, eval_known = false;
        for (std::uint64_t i = 0; i < kSeeds; ++i) {
          const TableData stored = data_of(i);
          move_known = move_known || probe.data.move == stored.move;
          score_known = score_known || probe.data.score == stored.score;
          eval_known = eval_known || probe.data.static_eval == stored.static_eval;
        }
        // An entry that another thread is making may still have fields that are zero.
        if (!move_known && probe.data.move) ++wrong;
        if (!score_known && probe.data.score != Score::draw()) ++wrong;
        if (!eval_known && probe.data.static_eval != Score::draw()) ++wrong;
      }
      table.store(probe.slot, key, data_of(rng.below(kSeeds)));
      if (round % 64 == 0 && table.permille_full() > 1) ++wrong;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (const std::uint64_t seed : {1, 2}) threads.emplace_back(hammer, seed);
  }
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace aleph::search
