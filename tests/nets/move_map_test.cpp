#include "nets/encode/move_map.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"
#include "nets/encode/policy1858.h"
#include "random_positions.h"

namespace aleph::nets {
namespace {

using chess::Move;
using chess::Position;
using test::played;
using test::position_of;

constexpr std::array kHeads{HeadKind::FromTo, HeadKind::Move4096, HeadKind::Attention4096,
                            HeadKind::Policy1858, HeadKind::Policy4352};

MoveMap map_of(HeadKind kind, const InputSpec& input,
               Transposition transposition = Transposition::Right) {
  return MoveMap::make(kind, input, transposition).take();
}

// Every head with both normalisations, and the heads of Leela's inputs in all kinds of symmetry.
std::vector<MoveMap> all_maps() {
  std::vector<MoveMap> maps;
  for (const HeadKind kind : kHeads)
    for (const Normalization normalization : {Normalization::Flip, Normalization::Rotate})
      maps.push_back(map_of(kind, {InputKind::Planes16, normalization}));
  for (const Transposition transposition : {Transposition::Right, Transposition::AsLc0Errs})
    maps.push_back(map_of(HeadKind::Policy1858, {InputKind::Planes112, Normalization::Flip, 4},
                          transposition));
  maps.push_back(map_of(HeadKind::Policy4352, {InputKind::Boards96}));
  return maps;
}

// Every legal move has places of its own, within the head's numbers, and they lead back to it.
bool places_are_right(const Position& position, const chess::MoveList& moves, const MoveMap& map) {
  const bool adds = map.kind() == HeadKind::FromTo;
  const bool tells_promotions =
      map.kind() == HeadKind::Policy1858 || map.kind() == HeadKind::Policy4352;
  const auto here = map.at(position);
  std::vector<std::tuple<int, int, int>> seen;
  for (const Move move : moves) {
    const LogitPlaces places = here.places(move);
    if (places.place < 0 || places.place >= map.outputs()) return false;
    if ((places.second != -1) != adds || places.second >= map.outputs()) return false;
    if ((places.promotion != -1) != (!tells_promotions && move.is_promotion())) return false;
    if (map.move(position, places) != move) return false;
    seen.emplace_back(places.place, places.second, places.promotion);
  }
  std::sort(seen.begin(), seen.end());
  return std::adjacent_find(seen.begin(), seen.end()) == seen.end();
}

void check_random_positions(std::uint64_t seed, int count) {
  const std::vector<MoveMap> maps = all_maps();
  test::visit_random_positions(seed, count, [&](const Position& position) {
    chess::MoveList moves;
    chess::generate_all(position, moves);
    for (const MoveMap& map : maps)
      if (!places_are_right(position, moves, map)) {
        CAPTURE(static_cast<int>(map.kind()));
        FAIL(chess::to_fen(position));
      }
  });
}

TEST_CASE("moves and places, in random games of all kinds") { check_random_positions(1, 20'000); }

TEST_CASE("moves and places, in a million positions" * doctest::test_suite("long")) {
  check_random_positions(2, 1'000'000);
}

int index_of(HeadKind kind, const Position& position, const char* move,
             const InputSpec& input = {}) {
  return policy_index(kind, position, chess::parse_uci_move(move, position).value(), input);
}

TEST_CASE("both sides have the same numbers") {
  const Position white = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  const Position black = position_of("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
  CHECK(index_of(HeadKind::Policy1858, white, "e1g1") == 103);
  CHECK(index_of(HeadKind::Policy1858, black, "e8g8") == 103);
  CHECK(index_of(HeadKind::Policy1858, white, "e1c1") == 97);
  CHECK(index_of(HeadKind::Policy1858, black, "e8c8") == 97);
  CHECK(index_of(HeadKind::Policy4352, black, "e8g8") == 4 * 64 + 6);
  CHECK(index_of(HeadKind::Move4096, black, "e8g8") == 4 * 64 + 6);
  // Rotated, Black's king stands on d1 and goes to b1; Leela's castling ends on a1.
  const InputSpec rotate{InputKind::Planes16, Normalization::Rotate};
  CHECK(index_of(HeadKind::Move4096, black, "e8g8", rotate) == 3 * 64 + 1);
  CHECK(policy_index(HeadKind::Policy1858, black, chess::parse_uci_move("e8g8", black).value(),
                     rotate) == policy1858_index(chess::squares::d1, chess::squares::a1, {}));
  // Leela's and Maia's inputs are never rotated.
  CHECK(index_of(HeadKind::Policy1858, black, "e8g8",
                 {InputKind::Planes112, Normalization::Rotate}) == 103);
}

TEST_CASE("promotions") {
  const Position white = position_of("1n6/P6k/8/8/8/8/8/4K3 w - - 0 1");
  CHECK(index_of(HeadKind::Policy1858, white, "a7a8n") == 1401);
  CHECK(index_of(HeadKind::Policy1858, white, "a7a8q") == 1792);
  CHECK(index_of(HeadKind::Policy1858, white, "a7b8b") == 1797);
  CHECK(index_of(HeadKind::Policy4352, white, "a7b8b") == 4096 + 4 + 2);
  const MoveMap map = map_of(HeadKind::Move4096, {});
  const auto places = map.at(white).places(chess::parse_uci_move("a7b8b", white).value());
  CHECK(places == LogitPlaces{48 * 64 + 57, -1, 2});
  const MoveMap marginals = map_of(HeadKind::FromTo, {});
  CHECK(marginals.at(white).places(chess::parse_uci_move("a7a8r", white).value()) ==
        LogitPlaces{48, 64 + 56, 1});
}

TEST_CASE("canonical formats turn moves as they turn boards") {
  // The king on a1 comes to h1, on the diagonal; the enemy's on e5 decides that d4 is smaller. So
  // b2b8 becomes g2g8, and then a2 is where g8 goes: g2a2.
  const Position corner = position_of("8/8/8/3k4/8/8/1R6/K7 w - - 0 1");
  const InputSpec canonical{InputKind::Planes112, Normalization::Flip, 3};
  const auto plain = map_of(HeadKind::Policy1858, {InputKind::Planes112});
  const auto turned = map_of(HeadKind::Policy1858, canonical);
  const Move move = chess::parse_uci_move("b2b8", corner).value();
  const auto number = [](int from, int to) {
    return *policy1858_index(chess::Square::from_index(from), chess::Square::from_index(to), {});
  };
  CHECK(plain.at(corner).places(move).place == number(9, 57));
  CHECK(turned.at(corner).places(move).place == number(14, 8));
  // Lc0 turns g2g8 by half instead: b7b1.
  const auto erring = map_of(HeadKind::Policy1858, canonical, Transposition::AsLc0Errs);
  CHECK(erring.at(corner).places(move).place == number(49, 1));
  CHECK(turned.move(corner, turned.at(corner).places(move)) == move);
  // With a right to castle nothing is turned.
  const Position castling = position_of("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
  CHECK(index_of(HeadKind::Policy1858, castling, "e1c1", canonical) == 97);
}

TEST_CASE("places that name no legal move") {
  const Position start;
  const MoveMap map = map_of(HeadKind::Policy1858, {});
  CHECK_FALSE(map.move(start, {.place = -1}));
  CHECK_FALSE(map.move(start, {.place = 1858}));
  CHECK_FALSE(map.move(start, {.place = 0}));
  const MoveMap marginals = map_of(HeadKind::FromTo, {});
  CHECK_FALSE(marginals.move(start, {12, -1, -1}));
  CHECK_FALSE(marginals.move(start, {12, 128, -1}));
  CHECK_FALSE(marginals.move(start, {12, 64 + 28, 7}));
  CHECK(marginals.move(start, {12, 64 + 28, -1}));
}

TEST_CASE("heads that do not answer moves are refused") {
  for (const HeadKind kind : {HeadKind::Promotion4, HeadKind::Value, HeadKind::Wdl,
                              HeadKind::MovesLeft, HeadKind::ThinkTime})
    CHECK_FALSE(MoveMap::make(kind, {}).ok());
}

}  // namespace
}  // namespace aleph::nets
