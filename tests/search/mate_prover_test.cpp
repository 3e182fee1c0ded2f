// The prover against brute force: what it proves is true, and it proves what is short.
#include <doctest/doctest.h>

#include <array>
#include <string_view>

#include "chess/fen.h"
#include "search/mate/prover.h"
#include "search/mate_solver.h"
#include "search/random_positions.h"
#include "search/test_search.h"

namespace aleph::search {
namespace {

using chess::Move;
using chess::Position;
using test::position_of;

// With a quiet first move, too (the second and the third).
constexpr std::array<std::string_view, 7> kShortMates{
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "1k6/8/2K5/8/8/8/8/7R w - - 0 1",
    "4r2k/8/8/8/8/8/PPP5/1K6 b - - 0 1",
    "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1",
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
    "r3k2r/ppp2Npp/1b5n/4p2b/2B1P2q/BQP2P2/P5PP/RN5K w kq - 0 1",
};

struct Plays {
  std::uint64_t left;
  std::uint64_t used = 0;
  bool operator()() { return ++used, --left > 0; }
};

std::optional<std::vector<Move>> prove(Position position, std::uint64_t plays) {
  MateProver prover;
  Plays budget{plays};
  return prover.prove(position, [&] { return budget(); });
}

bool ends_in_mate(Position position, const std::vector<Move>& line) {
  for (const Move move : line) {
    if (!legal_moves(position).contains(move)) return false;
    position.make(move);
  }
  return test::is_checkmate(position);
}

TEST_CASE("short mates are proven, never shorter than brute force says") {
  for (const auto fen : kShortMates) {
    CAPTURE(fen);
    const Position position = position_of(fen);
    const auto shortest = test::shortest_mate(position, 3);
    REQUIRE(shortest);
    const auto line = prove(position, 200'000);
    REQUIRE(line);
    CHECK(ends_in_mate(position, *line));
    CHECK(static_cast<int>(line->size()) >= 2 * *shortest - 1);
  }
}

TEST_CASE("the length of a proof is an upper bound: brute force mates within it") {
  int proven = 0;
  test::visit_random_positions(7, 1500, [&](const Position& position) {
    const auto line = prove(position, 500);
    if (!line) return;
    CHECK(ends_in_mate(position, *line));
    if (line->size() > 3) return;
    ++proven;
    CHECK(test::shortest_mate(position, static_cast<int>(line->size() + 1) / 2));
  });
  CHECK(proven > 5);
}

TEST_CASE("nothing is proven where there is no mate") {
  CHECK_FALSE(prove(Position(), 20'000));
  CHECK_FALSE(prove(position_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 20'000));  // stalemate
  CHECK_FALSE(prove(position_of("8/8/4k3/8/8/3NK3/8/8 w - - 0 1"), 20'000));
  // A perpetual check leads nowhere.
  CHECK_FALSE(prove(position_of("6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1"), 20'000));
}

TEST_CASE("a mate that the fifty-move rule may overtake is none") {
  CHECK(prove(position_of("6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80"), 1'000));
  CHECK_FALSE(prove(position_of("1k6/8/2K5/8/8/8/8/7R w - - 98 80"), 50'000));
}

TEST_CASE("a proof is interrupted and taken up again, and leaves the position alone") {
  Position position = position_of("8/8/8/3k4/8/8/8/KQR5 w - - 0 1");
  const Position before = position;
  MateProver whole, parts;
  Plays enough{1'000'000};
  const auto at_once = whole.prove(position, [&] { return enough(); });
  REQUIRE(at_once);
  std::optional<std::vector<Move>> line;
  std::uint64_t used = 0;
  for (int i = 0; i < 100'000 && !line && !parts.is_exhausted(); ++i) {
    Plays few{100};
    line = parts.prove(position, [&] { return few(); });
    CHECK(few.used <= 100);
    used += few.used;
    CHECK(position == before);
  }
  REQUIRE(line);
  CHECK(ends_in_mate(position, *line));
  CHECK(used > 100);
  CHECK(whole.is_exhausted());
}

}  // namespace
}  // namespace aleph::search
