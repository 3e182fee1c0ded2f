#include "uci/go_command.h"

#include <doctest/doctest.h>

#include <string>

#include "chess/uci_move.h"
#include "search/random_positions.h"

namespace aleph::uci {
namespace {

using chess::Position;
using search::Limits;
using search::Milliseconds;

Limits limits_of(std::string_view arguments, const Position& position = Position()) {
  auto request = parse_go(arguments, position);
  REQUIRE(request.ok());
  CHECK(!request.value().perft);
  return request.value().limits;
}

const Position& black_to_move() {
  static const Position position =
      test::position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  return position;
}

TEST_CASE("go alone sets no limit") {
  for (const std::string_view text : {"", "  ", "\t"}) {
    const Limits limits = limits_of(text);
    CHECK(!limits.depth);
    CHECK(!limits.nodes);
    CHECK(!limits.move_time);
    CHECK(!limits.clock);
    CHECK(!limits.mate);
    CHECK(limits.only_moves.empty());
    CHECK(!limits.infinite);
    CHECK(!limits.ponder);
  }
}

TEST_CASE("each word of go sets its limit and no other") {
  CHECK(limits_of("depth 7").depth == 7);
  CHECK(!limits_of("depth 7").nodes);
  CHECK(limits_of("nodes 12345678901").nodes == 12'345'678'901ULL);
  CHECK(limits_of("movetime 250").move_time == Milliseconds(250));
  CHECK(!limits_of("movetime 250").clock);
  CHECK(limits_of("mate 3").mate == 3);
  CHECK(limits_of("infinite").infinite);
  CHECK(!limits_of("infinite").ponder);
  CHECK(limits_of("ponder").ponder);
  const auto perft = parse_go("perft 5", Position());
  REQUIRE(perft.ok());
  CHECK(perft.value().perft == 5);
}

TEST_CASE("the clock is that of the side to move") {
  const std::string_view text = "wtime 1000 btime 2000 winc 10 binc 20 movestogo 30";
  const auto white = limits_of(text).clock, black = limits_of(text, black_to_move()).clock;
  REQUIRE((white && black));
  CHECK(white->left == Milliseconds(1000));
  CHECK(white->increment == Milliseconds(10));
  CHECK(white->moves_to_go == 30);
  CHECK(black->left == Milliseconds(2000));
  CHECK(black->increment == Milliseconds(20));
  CHECK(black->moves_to_go == 30);
  const auto plain = limits_of("btime 5 wtime 60000").clock;
  REQUIRE(plain);
  CHECK(plain->left == Milliseconds(60'000));
  CHECK(plain->increment == Milliseconds(0));
  CHECK(!plain->moves_to_go);
  CHECK(!limits_of("wtime 1000 btime 1000 movestogo 0").clock->moves_to_go);
}

TEST_CASE("with the opponent's clock alone there is no time, not all the time in the world") {
  const auto clock = limits_of("btime 60000").clock;
  REQUIRE(clock);
  CHECK(clock->left == Milliseconds(0));
  CHECK(!limits_of("winc 1000 binc 1000").clock);
}

TEST_CASE("limits add up") {
  const Limits limits =
      limits_of("ponder wtime 9000 btime 9000 depth 20 nodes 5000 movetime 100 mate 2 infinite");
  CHECK(limits.ponder);
  CHECK(limits.infinite);
  CHECK(limits.clock->left == Milliseconds(9000));
  CHECK(limits.depth == 20);
  CHECK(limits.nodes == 5000);
  CHECK(limits.move_time == Milliseconds(100));
  CHECK(limits.mate == 2);
}

TEST_CASE("numbers beyond all sense are brought to the nearest that has some") {
  CHECK(limits_of("depth 0").depth == 1);
  CHECK(limits_of("depth -5").depth == 1);
  CHECK(limits_of("depth 4000000000").depth.value() >= 245);
  CHECK(limits_of("nodes 0").nodes == 1);
  CHECK(limits_of("nodes -1").nodes == 1);
  CHECK(limits_of("movetime -100").move_time == Milliseconds(0));
  CHECK(limits_of("wtime -350 btime 1").clock->left == Milliseconds(0));
  CHECK(limits_of("wtime 9223372036854775807 btime 1").clock->left > std::chrono::hours(1000));
  CHECK(limits_of("wtime 1000 btime 1000 winc -10").clock->increment == Milliseconds(0));
  CHECK(!limits_of("wtime 1000 btime 1000 movestogo -3").clock->moves_to_go);
}

TEST_CASE("what is not a number refuses the command and says where") {
  for (const std::string name : {"depth", "nodes", "movetime", "mate", "wtime", "btime", "winc",
                                 "binc", "movestogo", "perft"})
    for (const std::string value :
         {"", "x", "1x", "1.5", "+3", "0x10", "99999999999999999999", "infinite"}) {
      CAPTURE(name);
      CAPTURE(value);
      const auto request = parse_go(name + " " + value, Position());
      REQUIRE(!request.ok());
      CHECK(request.error().starts_with("go " + name + ": "));
      CHECK(request.error().find('\n') == std::string::npos);
    }
}

TEST_CASE("words that are not known are skipped") {
  const Limits limits = limits_of("quickly depth 4 please");
  CHECK(limits.depth == 4);
  CHECK(limits.only_moves.empty());
}

TEST_CASE("searchmoves takes moves until the next word of go") {
  const Position start;
  const auto move = [&](std::string_view text) {
    return chess::parse_uci_move(text, start).take();
  };
  const Limits limits = limits_of("searchmoves e2e4 g1f3 depth 3 infinite");
  REQUIRE(limits.only_moves.size() == 2);
  CHECK(limits.only_moves[0] == move("e2e4"));
  CHECK(limits.only_moves[1] == move("g1f3"));
  CHECK(limits.depth == 3);
  CHECK(limits.infinite);
  CHECK(limits_of("depth 3 searchmoves a2a3").only_moves.size() == 1);
  CHECK(limits_of("searchmoves").only_moves.empty());
  const Position castling = test::position_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
  CHECK(limits_of("searchmoves e1g1", castling).only_moves[0].is_castling());
}

TEST_CASE("a move after searchmoves that is not legal refuses the command") {
  for (const std::string move : {"e2e5", "e7e5", "nonsense", "e2", "e1g1", "e2e4q"}) {
    CAPTURE(move);
    const auto request = parse_go("depth 3 searchmoves e2e4 " + move, Position());
    REQUIRE(!request.ok());
    CHECK(request.error().starts_with("go searchmoves: "));
  }
}

}  // namespace
}  // namespace aleph::uci
