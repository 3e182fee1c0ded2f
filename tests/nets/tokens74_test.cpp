#include "nets/encode/tokens74.h"

#include <doctest/doctest.h>

#include <vector>

#include "chess/fen.h"

namespace aleph::nets {
namespace {

TEST_CASE("ratings fall into 17 buckets") {
  CHECK(rating_bucket(0) == 0);
  CHECK(rating_bucket(999) == 0);
  CHECK(rating_bucket(1000) == 1);
  CHECK(rating_bucket(1099) == 1);
  CHECK(rating_bucket(1100) == 2);
  CHECK(rating_bucket(2399) == 14);
  CHECK(rating_bucket(2400) == 15);
  CHECK(rating_bucket(2499) == 15);
  CHECK(rating_bucket(2500) == 16);
  CHECK(rating_bucket(3400) == 16);
}

TEST_CASE("clocks fall into 19 buckets") {
  CHECK(clock_bucket(0) == 0);
  CHECK(clock_bucket(9.99) == 0);
  CHECK(clock_bucket(10) == 1);
  CHECK(clock_bucket(29.9) == 1);
  CHECK(clock_bucket(30) == 2);
  CHECK(clock_bucket(59.9) == 2);
  for (int minute = 1; minute < 15; ++minute) {
    CHECK(clock_bucket(60.0 * minute) == 2 + minute);
    CHECK(clock_bucket(60.0 * minute + 59.9) == 2 + minute);
  }
  CHECK(clock_bucket(15 * 60) == 17);
  CHECK(clock_bucket(7200) == 17);
  CHECK(clock_bucket(std::nullopt) == 18);
}

TEST_CASE("the starting position in words") {
  const Tokens74 tokens = encode_tokens74(chess::Position(), {1523, 185.0, {}});
  const std::vector<int> first_rank{4, 2, 3, 5, 6, 3, 2, 4};
  CHECK(tokens[0] == 13);
  for (std::size_t file = 0; file < 8; ++file) {
    CHECK(tokens[1 + file] == first_rank[file]);
    CHECK(tokens[9 + file] == 1);
    CHECK(tokens[33 + file] == 0);
    CHECK(tokens[49 + file] == 7);
    CHECK(tokens[57 + file] == first_rank[file] + 6);
  }
  CHECK(tokens[65] == 14 + 15);
  CHECK(tokens[66] == 30 + 6);
  CHECK(tokens[67] == 47 + 5);
  for (std::size_t i = 68; i < 74; ++i) CHECK(tokens[i] == 4096);
}

TEST_CASE("Black sees a board of White's") {
  // White has lost the right to castle long, Black that to castle short.
  const auto position =
      chess::parse_fen("r3k2r/pppppppp/8/8/4P3/8/PPPP1PPP/R3K2R b Kq - 0 1").take();
  const std::vector<FromTo> latest{
      {chess::Square::at(4, 1), chess::Square::at(4, 3)},
      {chess::Square::at(0, 6), chess::Square::at(0, 5)},
  };
  const Tokens74 tokens = encode_tokens74(position, {1000, std::nullopt, latest});
  CHECK(tokens[1 + 4] == 6);        // the own king on e1
  CHECK(tokens[1 + 60] == 12);      // the other on e8
  CHECK(tokens[1 + 36] == 7);       // White's pawn on e5, as Black sees it
  CHECK(tokens[65] == 14 + 4 + 2);  // own: long; the enemy's: short
  CHECK(tokens[67] == 47 + 18);
  CHECK(tokens[68] == 52 * 64 + 36);  // e2e4, seen from the other side: e7e5
  CHECK(tokens[69] == 8 * 64 + 16);   // a7a6: a2a3
  CHECK(tokens[70] == 4096);
  const Tokens74 rotated =
      encode_tokens74(position, {1000, std::nullopt, latest}, Normalization::Rotate);
  CHECK(rotated[1 + 3] == 6);  // the king on d1
  CHECK(rotated[68] == 51 * 64 + 35);
}

}  // namespace
}  // namespace aleph::nets
