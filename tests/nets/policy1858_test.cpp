#include "nets/encode/policy1858.h"

#include <doctest/doctest.h>

#include <set>

#include "nets/encode/policy4352.h"

namespace aleph::nets {
namespace {

using chess::PieceType;
using chess::Square;

Square square(const char* name) { return Square::at(name[0] - 'a', name[1] - '1'); }

int index_of(const char* from, const char* to, std::optional<PieceType> promotion = {}) {
  return policy1858_index(square(from), square(to), promotion).value_or(-1);
}

TEST_CASE("Leela's numbers of known moves") {
  CHECK(index_of("e2", "e4") == 322);
  CHECK(index_of("d2", "d4") == 293);
  CHECK(index_of("g1", "f3") == 159);
  CHECK(index_of("e1", "h1") == 103);
  CHECK(index_of("e1", "a1") == 97);
  CHECK(index_of("h8", "g8") == 1791);
  CHECK(index_of("a7", "a8") == 1401);
  CHECK(index_of("a7", "a8", PieceType::Knight) == 1401);
  CHECK(index_of("a7", "a8", PieceType::Queen) == 1792);
  CHECK(index_of("a7", "a8", PieceType::Rook) == 1793);
  CHECK(index_of("a7", "b8", PieceType::Queen) == 1795);
  CHECK(index_of("h7", "h8", PieceType::Bishop) == 1857);
}

TEST_CASE("moves that no piece makes have no number") {
  CHECK(index_of("a1", "a1") == -1);
  CHECK(index_of("a1", "b4") == -1);
  CHECK(index_of("e6", "e7", PieceType::Queen) == -1);
  CHECK(index_of("e7", "g8", PieceType::Queen) == -1);
  CHECK(index_of("e7", "g8", PieceType::Knight) == -1);
  CHECK(index_of("e7", "e6", PieceType::Rook) == -1);
}

TEST_CASE("1858 numbers and 1858 moves") {
  for (int i = 0; i < kPolicy1858; ++i) {
    const auto [from, to, promotion] = policy1858_move(i);
    REQUIRE(policy1858_index(from, to, promotion) == i);
    REQUIRE(promotion.has_value() == (i >= 1792));
  }
}

TEST_CASE("planes of the convolution head") {
  const auto& places = policy1858_from_planes();
  CHECK(std::set<int>(places.begin(), places.end()).size() == 1858);
  const auto plane = [&](int index) { return places[static_cast<std::size_t>(index)] % 80; };
  const auto origin = [&](int index) { return places[static_cast<std::size_t>(index)] / 80; };
  for (int i = 0; i < kPolicy1858; ++i) {
    REQUIRE(origin(i) == policy1858_move(i).from.index());
    REQUIRE(plane(i) < 73);
  }
  CHECK(plane(index_of("e2", "e4")) == 1);   // north, two
  CHECK(plane(index_of("a1", "h8")) == 13);  // north-east, seven
  CHECK(plane(index_of("a1", "b1")) == 14);  // east, one
  CHECK(plane(index_of("b7", "c6")) == 21);  // south-east, one
  CHECK(plane(index_of("e8", "e1")) == 34);  // south, seven
  CHECK(plane(index_of("e8", "c6")) == 36);  // south-west, two
  CHECK(plane(index_of("e1", "a1")) == 45);  // west, four
  CHECK(plane(index_of("e1", "d2")) == 49);  // north-west, one
  CHECK(plane(index_of("g1", "h3")) == 56);
  CHECK(plane(index_of("g3", "h1")) == 59);
  CHECK(plane(index_of("g1", "f3")) == 63);
  CHECK(plane(index_of("b7", "a8", PieceType::Rook)) == 64);
  CHECK(plane(index_of("b7", "a8", PieceType::Bishop)) == 65);
  CHECK(plane(index_of("b7", "a8", PieceType::Queen)) == 66);
  CHECK(plane(index_of("b7", "b8", PieceType::Queen)) == 69);
  CHECK(plane(index_of("b7", "c8", PieceType::Queen)) == 72);
  CHECK(plane(index_of("b7", "c8", PieceType::Knight)) == 7);
}

TEST_CASE("scores of the attention head") {
  const auto& places = policy1858_from_attention();
  CHECK(std::set<int>(places.begin(), places.end()).size() == 1858);
  const auto place = [&](int index) { return places[static_cast<std::size_t>(index)]; };
  CHECK(place(index_of("e2", "e4")) == 12 * 64 + 28);
  CHECK(place(index_of("a7", "a8", PieceType::Knight)) == 48 * 64 + 56);
  CHECK(place(index_of("a7", "a8", PieceType::Queen)) == 4096);
  CHECK(place(index_of("a7", "b8", PieceType::Rook)) == 4096 + 3 + 1);
  CHECK(place(index_of("h7", "g8", PieceType::Bishop)) == 4096 + 24 * 7 + 3 * 6 + 2);
}

TEST_CASE("Maia-3's numbers") {
  CHECK(kPolicy4352 == 4352);
  CHECK(policy4352_index(square("e2"), square("e4"), {}) == 12 * 64 + 28);
  CHECK(policy4352_index(square("a7"), square("a8"), PieceType::Queen) == 4096);
  CHECK(policy4352_index(square("a7"), square("b8"), PieceType::Knight) == 4096 + 4 + 3);
  CHECK(policy4352_index(square("h7"), square("h8"), PieceType::Knight) == 4351);
  for (int i = 0; i < kPolicy4352; ++i) {
    const auto [from, to, promotion] = policy4352_move(i);
    REQUIRE(policy4352_index(from, to, promotion) == i);
  }
}

}  // namespace
}  // namespace aleph::nets
