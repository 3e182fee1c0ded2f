#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "nets/encode/planes16.h"
#include "nets/encode/planes18.h"
#include "nets/encode/tokens69.h"
#include "random_positions.h"

namespace aleph::nets {
namespace {

using chess::CastlingSide;
using chess::Color;
using chess::PieceType;
using chess::Position;
using chess::Square;
using test::played;
using test::position_of;

// A net's input with a way to ask for one number.
struct Planes {
  int count;
  std::vector<float> numbers;
  explicit Planes(int planes) : count(planes), numbers(static_cast<std::size_t>(64 * planes), 9) {}
  float at(int plane, int square) const {
    return numbers[static_cast<std::size_t>(square * count + plane)];
  }
  bool all(int plane, float number) const {
    for (int square = 0; square < 64; ++square)
      if (at(plane, square) != number) return false;
    return true;
  }
};

Planes planes16(const Position& position, Normalization normalization = Normalization::Flip) {
  Planes planes(kPlanes16);
  encode_planes16(position.board(), position.halfmove_clock(), normalization, planes.numbers);
  return planes;
}
Planes planes18(const Position& position, Normalization normalization = Normalization::Flip) {
  Planes planes(kPlanes18);
  encode_planes18(position.board(), normalization, planes.numbers);
  return planes;
}
Planes planes20(const Position& position, Normalization normalization = Normalization::Flip) {
  Planes planes(kPlanes20);
  encode_planes20(position.board(), position.halfmove_clock(), normalization, planes.numbers);
  return planes;
}
std::vector<std::int16_t> tokens69(const Position& position,
                                   Normalization normalization = Normalization::Flip) {
  std::vector<std::int16_t> tokens(kTokens69, 99);
  encode_tokens69(position.board(), normalization, tokens);
  return tokens;
}

TEST_CASE("the starting position in planes") {
  const Planes planes = planes16(Position());
  for (int square = 8; square < 16; ++square) CHECK(planes.at(0, square) == 1);
  CHECK(planes.at(1, 1) == 1);    // b1
  CHECK(planes.at(5, 4) == 1);    // e1
  CHECK(planes.at(6, 48) == 1);   // a7
  CHECK(planes.at(11, 60) == 1);  // e8
  CHECK(planes.at(0, 0) == 0);
  CHECK(planes.all(12, 1));
  CHECK(planes.all(13, 1));
  CHECK(planes.all(14, 0));
  CHECK(planes.all(15, 0));
  float men = 0;
  for (int plane = 0; plane < 12; ++plane)
    for (int square = 0; square < 64; ++square) men += planes.at(plane, square);
  CHECK(men == 32);
}

TEST_CASE("castling, en passant and the clock in 16 planes") {
  const Position rights = position_of("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 37 60");
  const Planes planes = planes16(rights);
  // Black is to move: the queen's side is its own, the king's side the enemy's.
  for (int square = 0; square < 64; ++square) {
    CHECK(planes.at(12, square) == (square < 32 ? 0 : 1));
    CHECK(planes.at(13, square) == (square < 32 ? 1 : 0));
  }
  CHECK(planes.all(15, 0.37F));
  // e4xf3 is possible after f2f4; e2e4 alone can be taken by nobody.
  const Position taking = played(position_of("4k3/8/8/8/4p3/8/5P2/4K3 w - - 0 1"), "f2f4");
  for (int square = 0; square < 64; ++square) {
    CHECK(planes16(taking).at(14, square) == (square % 8 == 5 ? 1 : 0));
    CHECK(planes16(taking, Normalization::Rotate).at(14, square) == (square % 8 == 2 ? 1 : 0));
  }
  CHECK(planes16(played(Position(), "e2e4")).all(14, 0));
}

TEST_CASE("kings in 20 planes") {
  // White's king on a1, Black's on h8 with a rook on b8 that looks down the b-file.
  const Position position = position_of("1r5k/8/8/8/8/8/8/K7 w - - 0 1");
  const Planes planes = planes20(position);
  CHECK(planes.at(16, 0) == 0);
  CHECK(planes.at(16, 9) == doctest::Approx(1.0 / 7));
  CHECK(planes.at(16, 63) == 1);
  CHECK(planes.at(17, 0) == 1);
  CHECK(planes.at(17, 63) == 0);
  // In danger: b1, b2, b3, not b4, which is three steps away.
  for (int square = 0; square < 64; ++square)
    CHECK(planes.at(18, square) == (square == 1 || square == 9 || square == 17 ? 1 : 0));
  CHECK(planes.all(19, 0));
  // Black sees it the other way round.
  const Planes black = planes20(position_of("1r5k/8/8/8/8/8/8/K7 b - - 0 1"));
  CHECK(black.at(16, 7) == 0);   // the own king on h8: h1
  CHECK(black.at(17, 56) == 0);  // the enemy's on a1: a8
  CHECK(black.all(18, 0));
  for (int square = 0; square < 64; ++square)
    CHECK(black.at(19, square) == (square == 57 || square == 49 || square == 41 ? 1 : 0));
}

TEST_CASE("the 18 planes of the policy network") {
  const Planes start = planes18(Position());
  for (int plane = 12; plane <= 16; ++plane) CHECK(start.all(plane, 1));
  CHECK(start.all(17, 0));
  const Planes black =
      planes18(played(position_of("r3k2r/8/8/8/4p3/8/5P2/R3K2R w Kq - 0 1"), "f2f4"));
  CHECK(black.all(12, 0));
  CHECK(black.all(13, 0));
  CHECK(black.all(14, 1));  // own queen side
  CHECK(black.all(15, 1));  // the enemy's king side
  CHECK(black.all(16, 0));
  for (int square = 0; square < 64; ++square)
    CHECK(black.at(17, square) == (square == 45 ? 1 : 0));  // f3, seen as f6
}

TEST_CASE("the 69 words of the policy network") {
  const auto start = tokens69(Position());
  const std::vector<std::int16_t> first{0, 1, 1, 1, 1, 5, 7, 9, 11, 13, 9, 7, 5, 3, 3};
  for (std::size_t i = 0; i < first.size(); ++i) CHECK(start[i] == first[i]);
  CHECK(start[5 + 48] == 2);   // a7, an enemy pawn
  CHECK(start[5 + 60] == 12);  // e8
  CHECK(start[5 + 30] == 0);
  const auto black = tokens69(position_of("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 37 60"));
  CHECK(black[0] == 1);
  CHECK(black[1] == 0);
  CHECK(black[2] == 1);
  CHECK(black[3] == 1);
  CHECK(black[4] == 0);
  CHECK(black[5 + 4] == 13);  // the own king on e1
  CHECK(tokens69(position_of("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 37 60"),
                 Normalization::Rotate)[5 + 3] == 13);
}

// The twins: square by square from the table of the position, with nothing shared.
int seen_index(Square square, Color us, Normalization normalization) {
  if (us == Color::White) return square.index();
  const int file = normalization == Normalization::Flip ? square.file() : 7 - square.file();
  return (7 - square.rank()) * 8 + file;
}

bool attacked_near(const Position& position, Square square, Color king_of) {
  const Square king = position.king(king_of);
  if (std::abs(king.file() - square.file()) > 2 || std::abs(king.rank() - square.rank()) > 2)
    return false;
  return (position.board().attackers_to(square, position.occupied()) & position.pieces(~king_of))
      .any();
}

double steps(Square a, Square b) {
  return std::max(std::abs(a.file() - b.file()), std::abs(a.rank() - b.rank()));
}

void check_square(const Position& position, Square square, Normalization normalization) {
  const Planes p16 = planes16(position, normalization), p18 = planes18(position, normalization),
               p20 = planes20(position, normalization);
  const auto t69 = tokens69(position, normalization);
  const Color us = position.side_to_move();
  const int place = seen_index(square, us, normalization);
  int man_plane = -1, word = 0;
  if (const auto piece = position.piece_at(square)) {
    const bool own = piece->color() == us;
    man_plane = chess::index(piece->type()) + (own ? 0 : 6);
    switch (piece->type()) {
      case PieceType::Pawn: word = 2; break;
      case PieceType::Rook: word = 4; break;
      case PieceType::Knight: word = 6; break;
      case PieceType::Bishop: word = 8; break;
      case PieceType::Queen: word = 10; break;
      case PieceType::King: word = 12; break;
    }
    word += own ? 1 : 0;
  }
  REQUIRE(t69[static_cast<std::size_t>(5 + place)] == word);
  for (int plane = 0; plane < 12; ++plane)
    for (const Planes* planes : {&p16, &p18, &p20})
      REQUIRE(planes->at(plane, place) == (plane == man_plane ? 1 : 0));
  const auto rights = position.castling();
  const Color half = place < 32 ? us : ~us;
  const auto passed = position.en_passant();
  for (const Planes* planes : {&p16, &p20}) {
    REQUIRE(planes->at(12, place) == (rights.has(half, CastlingSide::King) ? 1 : 0));
    REQUIRE(planes->at(13, place) == (rights.has(half, CastlingSide::Queen) ? 1 : 0));
    REQUIRE(planes->at(14, place) == (passed && passed->file() == square.file() ? 1 : 0));
    REQUIRE(planes->at(15, place) == doctest::Approx(position.halfmove_clock() / 100.0));
  }
  REQUIRE(p18.at(12, place) == (us == Color::White ? 1 : 0));
  REQUIRE(p18.at(13, place) == (rights.has(us, CastlingSide::King) ? 1 : 0));
  REQUIRE(p18.at(14, place) == (rights.has(us, CastlingSide::Queen) ? 1 : 0));
  REQUIRE(p18.at(15, place) == (rights.has(~us, CastlingSide::King) ? 1 : 0));
  REQUIRE(p18.at(16, place) == (rights.has(~us, CastlingSide::Queen) ? 1 : 0));
  REQUIRE(p18.at(17, place) == (passed == square ? 1 : 0));
  REQUIRE(p20.at(16, place) == doctest::Approx(steps(square, position.king(us)) / 7));
  REQUIRE(p20.at(17, place) == doctest::Approx(steps(square, position.king(~us)) / 7));
  REQUIRE(p20.at(18, place) == (attacked_near(position, square, us) ? 1 : 0));
  REQUIRE(p20.at(19, place) == (attacked_near(position, square, ~us) ? 1 : 0));
}

TEST_CASE("planes and words against slow twins, in random games") {
  int number = 0;
  test::visit_random_positions(3, 20'000, [&](const Position& position) {
    ++number;
    // Four squares of each position, another four in the next: all are reached many times.
    for (int i = 0; i < 4; ++i)
      check_square(position, Square::from_index((number * 4 + i * 17) % 64),
                   number % 3 == 0 ? Normalization::Rotate : Normalization::Flip);
  });
}

}  // namespace
}  // namespace aleph::nets
