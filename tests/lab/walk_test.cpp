#include "lab/label/walk.h"

#include <doctest/doctest.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/position.h"

using namespace aleph;
using namespace aleph::lab;

namespace {

constexpr const char* kBusy =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

PositionList copies(const char* fen, std::size_t count) {
  PositionList list;
  const chess::PackedPosition packed = chess::pack(chess::parse_fen(fen).take());
  for (std::size_t i = 0; i < count; ++i) list.add(packed, 1, static_cast<std::int64_t>(i));
  return list;
}

std::size_t walked(const PositionList& list) {
  std::size_t count = 0;
  for (const std::int8_t outcome : list.outcomes) count += outcome == PositionList::kUnknown;
  return count;
}

int pieces(const chess::PackedPosition& packed) {
  return chess::unpack(packed).take().occupied().count();
}

}  // namespace

TEST_CASE("walks are legal, as many as asked for, and the same with any number of threads") {
  const WalkSettings settings{6, 0.5, 0.3, 7};
  const PositionList start = copies(kBusy, 40'000);
  PositionList one = start, two = start;
  walk_positions(one, settings, 1);
  walk_positions(two, settings, 4);
  CHECK(one.fingerprint() == two.fingerprint());
  CHECK(walked(one) > 19'000);
  CHECK(walked(one) < 21'000);
  int plies[8] = {};
  for (std::size_t i = 0; i < 2000; ++i) {
    const auto position = chess::unpack(one.positions[i]);
    REQUIRE(position.ok());
    CHECK(chess::has_legal_move(position.value()));
    const int ply = position.value().game_ply();
    REQUIRE(ply <= 6);
    ++plies[ply];
    CHECK((ply == 0) == (one.positions[i] == start.positions[i]));
  }
  for (int ply = 1; ply <= 6; ++ply) CHECK(plies[ply] > 100);
}

TEST_CASE("walks that like to take leave fewer pieces; without a length nobody walks") {
  PositionList quiet = copies(kBusy, 3000), hungry = quiet, still = quiet;
  walk_positions(quiet, {4, 1, 0, 7}, 1);
  walk_positions(hungry, {4, 1, 1, 7}, 1);
  walk_positions(still, {}, 1);
  CHECK(walked(quiet) == 3000);
  CHECK(walked(still) == 0);
  double left_by_quiet = 0, left_by_hungry = 0;
  for (std::size_t i = 0; i < quiet.size(); ++i) {
    left_by_quiet += pieces(quiet.positions[i]);
    left_by_hungry += pieces(hungry.positions[i]);
  }
  CHECK(left_by_hungry + 3000 < left_by_quiet);
}

TEST_CASE("a walk does not end where the game is over") {
  // Most moves of the queen give mate or stalemate.
  PositionList list = copies("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 2000);
  walk_positions(list, {3, 1, 0.3, 1}, 1);
  for (const auto& packed : list.positions)
    CHECK(chess::has_legal_move(chess::unpack(packed).take()));
}
