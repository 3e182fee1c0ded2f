#include "nets/encode/planes112.h"

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <vector>

#include "nets/encode/leela_symmetry.h"
#include "random_positions.h"
#include "slow_planes112.h"

namespace aleph::nets {
namespace {

using chess::Position;
using chess::Square;
using test::played;
using test::position_of;

constexpr std::array kFormats{1, 2, 3, 4, 5, 132, 133};
constexpr std::array kFills{HistoryFill::No, HistoryFill::FenOnly, HistoryFill::Always};
constexpr int kOwnPawns = 0, kTheirPawns = 6, kRepeated = 12;

class Planes {
 public:
  Planes(const Position& position, int format, HistoryFill fill = HistoryFill::FenOnly,
         bool earlier_positions = true)
      : numbers_(64 * 112, 9.0F) {
    encode_planes112(position, format, fill, earlier_positions, numbers_);
  }
  float at(int plane, int square) const {
    return numbers_[static_cast<std::size_t>(square * 112 + plane)];
  }
  bool all(int plane, float number) const {
    for (int square = 0; square < 64; ++square)
      if (at(plane, square) != number) return false;
    return true;
  }
  // The squares with ones; fails if there are other numbers.
  std::set<int> ones(int plane) const {
    std::set<int> squares;
    for (int square = 0; square < 64; ++square)
      if (at(plane, square) != 0) {
        REQUIRE(at(plane, square) == 1);
        squares.insert(square);
      }
    return squares;
  }
  // Boards that are there: the own king is on them.
  int boards() const {
    int count = 0;
    while (count < 8 && ones(13 * count + 5).size() == 1) ++count;
    for (int plane = 13 * count; plane < 104; ++plane) REQUIRE(all(plane, 0));
    return count;
  }

 private:
  std::vector<float> numbers_;
};

TEST_CASE("Leela's planes of the starting position") {
  const Planes planes(Position(), 1);
  CHECK(planes.boards() == 1);
  CHECK(planes.ones(kOwnPawns) == std::set<int>{8, 9, 10, 11, 12, 13, 14, 15});
  CHECK(planes.ones(1) == std::set<int>{1, 6});
  CHECK(planes.ones(2) == std::set<int>{2, 5});
  CHECK(planes.ones(3) == std::set<int>{0, 7});
  CHECK(planes.ones(4) == std::set<int>{3});
  CHECK(planes.ones(5) == std::set<int>{4});
  CHECK(planes.ones(10) == std::set<int>{59});
  CHECK(planes.ones(11) == std::set<int>{60});
  for (int plane = 104; plane < 108; ++plane) CHECK(planes.all(plane, 1));
  for (int plane = 108; plane < 111; ++plane) CHECK(planes.all(plane, 0));
  CHECK(planes.all(111, 1));
  CHECK(Planes(Position(), 1, HistoryFill::Always).boards() == 8);
  CHECK(Planes(Position(), 1, HistoryFill::No).boards() == 1);
}

TEST_CASE("earlier boards are seen by who is to move now") {
  const Planes planes(played(Position(), "e2e4"), 1);
  CHECK(planes.boards() == 2);
  CHECK(planes.ones(kTheirPawns) == std::set<int>{48, 49, 50, 51, 36, 53, 54, 55});
  CHECK(planes.ones(13 + kTheirPawns) == std::set<int>{48, 49, 50, 51, 52, 53, 54, 55});
  CHECK(planes.all(108, 1));
  CHECK(Planes(played(Position(), "e2e4"), 1, HistoryFill::Always).boards() == 8);
  // Without earlier positions it is like a FEN, which is filled; nobody could take on e3.
  const Planes alone(played(Position(), "e2e4"), 1, HistoryFill::FenOnly, false);
  CHECK(alone.boards() == 8);
  CHECK(alone.ones(13 + kTheirPawns) == planes.ones(kTheirPawns));
}

TEST_CASE("what was before a position is made up of it") {
  const Position position = position_of("8/8/8/4k3/8/8/4P3/4K3 w - - 40 80");
  CHECK(Planes(position, 1, HistoryFill::No).boards() == 1);
  CHECK(Planes(position, 1, HistoryFill::Always).boards() == 8);
  const Planes planes(position, 1);
  CHECK(planes.boards() == 8);
  for (int board = 0; board < 8; ++board) {
    CHECK(planes.ones(13 * board + 5) == std::set<int>{4});
    CHECK(planes.ones(13 * board + 11) == std::set<int>{36});
    CHECK(planes.all(13 * board + kRepeated, 0));
  }
  CHECK(planes.all(109, 40));
  // Black's pieces, seen from Black, also after a move: the made-up boards are like the first.
  const Planes moved(played(position, "e1d2"), 1);
  CHECK(moved.ones(11) == std::set<int>{51});
  for (int board = 1; board < 8; ++board) CHECK(moved.ones(13 * board + 11) == std::set<int>{60});
}

TEST_CASE("a double step before the first position is undone") {
  const Position position =
      position_of("rnbqkbnr/pppp1ppp/8/8/4pP2/8/PPPPP1PP/RNBQKBNR b KQkq f3 0 3");
  const std::set<int> now{48, 49, 50, 51, 52, 37, 54, 55}, before{48, 49, 50, 51, 52, 53, 54, 55};
  const Planes filled(position, 1);
  CHECK(filled.boards() == 8);
  CHECK(filled.ones(kTheirPawns) == now);
  for (int board = 1; board < 8; ++board) CHECK(filled.ones(13 * board + kTheirPawns) == before);
  const Planes empty(position, 1, HistoryFill::No);
  CHECK(empty.boards() == 2);
  CHECK(empty.ones(13 + kTheirPawns) == before);
  // Canonical formats stop there, and mark the file on the last rank.
  for (const int format : {3, 4, 5, 132, 133}) {
    const Planes canonical(position, format);
    CHECK(canonical.boards() == 1);
    CHECK(canonical.ones(108) == std::set<int>{61});
  }
  CHECK(Planes(position, 2).all(108, 1));
}

TEST_CASE("the mark of en passant asks for a pawn, not for a legal move") {
  // The pawn on d4 may not take on e3: its king on a4 would stand in check of the rook on h4.
  const Position pinned = played(position_of("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1"), "e2e4");
  CHECK_FALSE(pinned.en_passant());
  CHECK(Planes(pinned, 3).ones(108) == std::set<int>{60 ^ 7});  // the king on the a-file: flipped
  // No pawn, no mark.
  CHECK(Planes(played(Position(), "e2e4"), 3).all(108, 0));
}

TEST_CASE("repetitions") {
  const Position position = played(Position(), "g1f3 g8f6 f3g1 f6g8 g1f3");
  const Planes planes(position, 1);
  CHECK(planes.boards() == 6);
  CHECK(planes.all(kRepeated, 1));
  CHECK(planes.all(13 + kRepeated, 1));  // the start again
  for (int board = 2; board < 6; ++board) CHECK(planes.all(13 * board + kRepeated, 0));
  // The second kind of canonical format leaves out what was new when it came.
  const Planes repeats(position, 5);
  CHECK(repeats.boards() == 2);
  CHECK(repeats.all(kRepeated, 1));
  CHECK(repeats.all(13 + kRepeated, 1));
  CHECK(repeats.ones(13 + 7) == std::set<int>{57, 62});
  // Not known to be one when the game is taken to begin now.
  CHECK(Planes(position, 1, HistoryFill::FenOnly, false).all(kRepeated, 0));
}

TEST_CASE("the second canonical kind ends even if the first position has a clock") {
  for (const HistoryFill fill : kFills)
    CHECK(Planes(position_of("8/8/8/4k3/8/8/4P3/4K3 w - - 40 80"), 5, fill).boards() == 1);
}

TEST_CASE("canonical formats stop where the game cannot come back") {
  // e1e2 gives up the rights; before that is not shown.
  const Position rights = played(position_of("4k3/8/8/8/8/8/8/4K2R w K - 5 20"), "e1e2 e8e7");
  CHECK(Planes(rights, 1).boards() == 8);
  CHECK(Planes(rights, 3).boards() == 2);
  // The board after a pawn's move is shown, the one before it is not.
  const Position pawn = played(position_of("4k3/8/8/8/8/8/4P3/4K3 w - - 5 20"), "e2e3 e8e7 e1d2");
  CHECK(Planes(pawn, 3).boards() == 3);
}

TEST_CASE("clocks, colours and rooks of the other formats") {
  const Position position = position_of("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 37 60");
  CHECK(Planes(position, 1).all(104, 1));  // own queen side
  CHECK(Planes(position, 1).all(105, 0));
  CHECK(Planes(position, 1).all(106, 0));
  CHECK(Planes(position, 1).all(107, 1));
  for (const int format : kFormats) {
    const Planes planes(position, format);
    CHECK(planes.all(109, format <= 3 ? 37.0F : 0.37F));
    CHECK(planes.all(110, format > 100 ? 1.0F : 0.0F));
    CHECK(planes.all(111, 1));
    if (format == 1) continue;
    CHECK(planes.ones(104) == std::set<int>{0});   // a8, seen as a1
    CHECK(planes.ones(105) == std::set<int>{63});  // h1, seen as h8
    CHECK(planes.all(106, 0));
    CHECK(planes.all(107, 0));
  }
  // Rooks of Chess960 stand where they stand.
  const Position other =
      position_of("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
  CHECK(Planes(other, 2).ones(104) == std::set<int>{5, 61});
  CHECK(Planes(other, 2).ones(105) == std::set<int>{7, 63});
}

TEST_CASE("symmetries of canonical formats") {
  const auto of = [](const char* fen) { return LeelaSymmetry::of(position_of(fen).board()); };
  CHECK_FALSE(of("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1").any());
  CHECK_FALSE(of("4k3/8/8/8/8/8/4P3/6K1 w - - 0 1").any());
  const auto pawns = of("4k3/8/2K5/8/8/8/4P3/8 w - - 0 1");
  CHECK((pawns.flips_files() && !pawns.mirrors_ranks() && !pawns.transposes()));
  const auto bare = of("8/8/2KB4/8/4N3/8/6k1/8 w - - 0 1");
  CHECK((bare.flips_files() && bare.mirrors_ranks()));
  for (int i = 0; i < 64; ++i) {
    const Square square = Square::from_index(i);
    CHECK(bare.undone(bare(square)) == square);
    CHECK(bare.as_lc0_errs(bare.as_lc0_errs(square)) == square);
    CHECK(bare(chess::Bitboard(square)) == chess::Bitboard(bare(square)));
  }
  // The diagonal goes from h1 to e4: g3 is above it, f2 below.
  CHECK_FALSE(of("8/8/8/8/8/8/k6K/8 w - - 0 1").mirrors_ranks());
  CHECK(of("8/8/8/8/8/6K1/k7/8 w - - 0 1").transposes());
  CHECK_FALSE(of("8/8/8/8/8/8/k4K2/8 w - - 0 1").transposes());
}

void check_against_twin(const Position& position, int format, HistoryFill fill) {
  const Planes planes(position, format, fill);
  const auto slow = test::slow_planes112(position, format, fill);
  for (int plane = 0; plane < 112; ++plane)
    for (int square = 0; square < 64; ++square) {
      const double expected =
          slow[static_cast<std::size_t>(plane)][static_cast<std::size_t>(square)];
      if (planes.at(plane, square) != static_cast<float>(expected)) {
        CAPTURE(format);
        CAPTURE(plane);
        CAPTURE(square);
        REQUIRE(planes.at(plane, square) == doctest::Approx(expected));
      }
    }
}

void check_random_positions(std::uint64_t seed, int count) {
  std::size_t number = 0;
  test::visit_random_positions(seed, count, [&](const Position& position) {
    check_against_twin(position, kFormats[number % 7], kFills[number / 7 % 3]);
    const auto symmetry = LeelaSymmetry::of(position.board());
    for (int square = 0; square < 64; ++square)
      REQUIRE(symmetry(Square::from_index(square)).index() ==
              test::slow_symmetric_square(position, square));
    ++number;
  });
}

TEST_CASE("Leela's planes against a slow twin, in random games") {
  check_random_positions(4, 3'000);
}

TEST_CASE("Leela's planes against a slow twin, many times" * doctest::test_suite("long")) {
  check_random_positions(5, 300'000);
}

}  // namespace
}  // namespace aleph::nets
