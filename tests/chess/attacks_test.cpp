#include "chess/attacks.h"

#include <doctest/doctest.h>

#include "base/cpu.h"
#include "base/rng.h"

using namespace aleph;
using namespace aleph::chess;

namespace {

// Sparse, medium and dense boards: blockers near and far.
Bitboard random_occupancy(Rng& rng) {
  std::uint64_t bits = rng.next();
  for (std::uint64_t thin = rng.below(4); thin > 0; --thin) bits &= rng.next();
  return Bitboard(bits);
}

template <class Index>
void compare_with_walking(const std::array<Index, 64>& bishop, const std::array<Index, 64>& rook) {
  Rng rng(11);
  int wrong = 0;
  for (int round = 0; round < 2'000; ++round) {
    const Bitboard occupied = random_occupancy(rng);
    for (int i = 0; i < 64; ++i) {
      const Square from = Square::from_index(i);
      const auto place = static_cast<std::size_t>(i);
      wrong += detail::slider_attacks(bishop[place], occupied) !=
               bishop_attacks_by_walking(from, occupied);
      wrong +=
          detail::slider_attacks(rook[place], occupied) != rook_attacks_by_walking(from, occupied);
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("magic multiplication finds what walking the rays finds") {
  const detail::SliderTables tables(false);
  compare_with_walking(tables.bishop_magic, tables.rook_magic);
}

TEST_CASE("PEXT finds what walking the rays finds") {
  if (!cpu_features().bmi2) {
    MESSAGE("skipped: this processor has no PEXT");
    return;
  }
  const detail::SliderTables tables(true);
  compare_with_walking(tables.bishop_pext, tables.rook_pext);
}

TEST_CASE("the method in use finds what walking the rays finds, blockers at the edge included") {
  Rng rng(12);
  for (int i = 0; i < 64; ++i) {
    const Square from = Square::from_index(i);
    for (int round = 0; round < 200; ++round) {
      const Bitboard occupied = random_occupancy(rng) | Bitboard::rank(7) | Bitboard::file(0);
      CHECK(bishop_attacks(from, occupied) == bishop_attacks_by_walking(from, occupied));
      CHECK(rook_attacks(from, occupied) == rook_attacks_by_walking(from, occupied));
      CHECK(queen_attacks(from, occupied) ==
            (bishop_attacks_by_walking(from, occupied) | rook_attacks_by_walking(from, occupied)));
    }
  }
}

TEST_CASE("lines and gaps between squares fit together") {
  for (int a = 0; a < 64; ++a)
    for (int b = 0; b < 64; ++b) {
      const Square from = Square::from_index(a), to = Square::from_index(b);
      const Bitboard line = line_through(from, to), gap = between(from, to);
      CHECK(line == line_through(to, from));
      CHECK(gap == between(to, from));
      CHECK((gap & ~line).empty());
      CHECK(line.any() == (a != b && queen_attacks(from, Bitboard()).has(to)));
      if (line.any()) CHECK((line.has(from) && line.has(to) && !gap.has(from) && !gap.has(to)));
    }
}

TEST_CASE("pawns attack forward, and never around the edge of the board") {
  CHECK(pawn_attacks(Square::at(0, 1), Color::White) == Bitboard(Square::at(1, 2)));
  CHECK(pawn_attacks(Square::at(7, 6), Color::Black) == Bitboard(Square::at(6, 5)));
  CHECK(pawn_attacks(Bitboard::rank(1), Color::White) == Bitboard::rank(2));
  CHECK(pawn_attacks(Square::at(4, 7), Color::White).empty());
}
