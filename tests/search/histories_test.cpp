#include "search/alpha_beta/histories.h"

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <set>

#include "base/rng.h"

namespace aleph::search {
namespace {

using chess::Bitboard;
using chess::Color;
using chess::Move;
using chess::MoveKind;
using chess::Square;

template <int Limit>
Gravity<Limit> entry_of(int value) {
  Gravity<Limit> entry;
  entry.set(value);
  return entry;
}

template <int Limit>
void check_limits(std::uint64_t seed) {
  Rng rng(seed);
  auto entry = entry_of<Limit>(0);
  bool within = true;
  for (int i = 0; i < 100'000; ++i) {
    const int before = entry.value();
    const int bonus = static_cast<int>(rng.below(8 * Limit + 1)) - 4 * Limit;
    entry.add(bonus);
    within = within && std::abs(entry.value()) <= Limit;
    // A bonus never moves an entry the other way.
    within = within && (bonus >= 0 ? entry.value() >= before : entry.value() <= before);
  }
  CHECK(within);
}

TEST_CASE("no sequence of bonuses moves an entry beyond its limit") {
  check_limits<1024>(1);
  check_limits<7183>(2);
  check_limits<8192>(3);
  check_limits<10'692>(4);
  check_limits<30'000>(5);
}

TEST_CASE("a repeated bonus brings an entry to its limit, in smaller and smaller steps") {
  for (const int sign : {1, -1}) {
    auto entry = entry_of<7183>(0);
    int last_step = 1 << 20;
    for (int i = 0; i < 200; ++i) {
      const int before = entry.value();
      entry.add(sign * 500);
      const int step = sign * (entry.value() - before);
      CHECK((step >= 0 && step <= last_step));
      last_step = step;
    }
    CHECK(entry.value() == sign * 7183);
  }
}

TEST_CASE("opposite bonuses in turn keep an entry near zero, no bonus leaves it alone") {
  auto entry = entry_of<8192>(0);
  for (int i = 0; i < 1000; ++i) {
    entry.add(800);
    entry.add(-800);
  }
  CHECK(std::abs(entry.value()) < 800);
  entry.set(-77);
  entry.add(0);
  CHECK(entry.value() == -77);
}

TEST_CASE("each piece on each square has a number of its own") {
  std::set<int> numbers;
  for (int piece = 0; piece < chess::kPieces; ++piece)
    for (int square = 0; square < 64; ++square)
      numbers.insert(piece_square(chess::Piece::from_index(piece), Square::from_index(square)));
  CHECK(numbers.size() == static_cast<std::size_t>(kPieceSquares));
  CHECK(*numbers.begin() == 0);
  CHECK(*numbers.rbegin() == kPieceSquares - 1);
  CHECK(Histories::kNoMove == kPieceSquares);
}

TEST_CASE("each origin and target have a number of their own, whatever the kind of move") {
  std::set<std::size_t> numbers;
  for (int from = 0; from < 64; ++from)
    for (int to = 0; to < 64; ++to) {
      const Square a = Square::from_index(from), b = Square::from_index(to);
      numbers.insert(from_to(Move(a, b)));
      CHECK(from_to(Move(a, b, MoveKind::PromoteQueen)) == from_to(Move(a, b)));
    }
  CHECK(numbers.size() == 4096);
  CHECK(*numbers.rbegin() == 4095);
}

TEST_CASE("quiet moves are told apart by colour and by what the enemy attacks") {
  const auto histories = std::make_unique<Histories>();
  histories->clear();
  const Square from = Square::at(4, 1), to = Square::at(4, 3);
  const Move move(from, to);
  std::set<const void*> entries;
  for (const Color color : {Color::White, Color::Black})
    for (const Bitboard attacked : {Bitboard(), Bitboard(from), Bitboard(to), Bitboard(from) | to})
      entries.insert(&histories->quiet(color, move, attacked));
  CHECK(entries.size() == 8);
  CHECK(&histories->quiet(Color::White, move, Bitboard(Square::at(0, 0))) ==
        &histories->quiet(Color::White, move, Bitboard()));
  CHECK(&histories->pawns(3) == &histories->pawns(3 + Histories::kPawnTables));
  CHECK(&histories->pawns(3) != &histories->pawns(4));
}

TEST_CASE("clearing leaves nothing of what was there") {
  const auto a = std::make_unique<Histories>(), b = std::make_unique<Histories>();
  std::memset(static_cast<void*>(a.get()), 0x11, sizeof(Histories));
  std::memset(static_cast<void*>(b.get()), 0x22, sizeof(Histories));
  a->clear();
  b->clear();
  CHECK(std::memcmp(a.get(), b.get(), sizeof(Histories)) == 0);
}

TEST_CASE("a new search keeps what quiet moves were worth, but less of it") {
  const auto histories = std::make_unique<Histories>();
  histories->clear();
  const int fresh_low_ply = histories->low_ply[0][0].value();
  const Move move(Square::at(4, 1), Square::at(4, 3));
  auto& quiet = histories->quiet(Color::White, move, Bitboard());
  quiet.set(4000);
  histories->quiet(Color::Black, move, Bitboard()).set(-4000);
  histories->low_ply[1][from_to(move)].set(5000);
  histories->capture[5][2].set(1234);
  histories->pawns(17)[9].set(-4321);
  histories->continuation[1][0][3][4].set(999);
  histories->continuation_correction[6][7].set(55);
  histories->table_move.set(66);
  histories->start_new_search();
  CHECK(quiet.value() > 2000);
  CHECK(quiet.value() < 4000);
  CHECK(histories->quiet(Color::Black, move, Bitboard()).value() == -quiet.value());
  CHECK(histories->low_ply[1][from_to(move)].value() == fresh_low_ply);
  CHECK(histories->capture[5][2].value() == 1234);
  CHECK(histories->pawns(17)[9].value() == -4321);
  CHECK(histories->continuation[1][0][3][4].value() == 999);
  CHECK(histories->continuation_correction[6][7].value() == 55);
  CHECK(histories->table_move.value() == 66);
  for (int search = 0; search < 100; ++search) histories->start_new_search();
  CHECK(quiet.value() == 0);
}

}  // namespace
}  // namespace aleph::search
