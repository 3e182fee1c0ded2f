#include "uci/position_command.h"

#include <doctest/doctest.h>

#include <string>

#include "chess/fen.h"
#include "chess/uci_move.h"

namespace aleph::uci {
namespace {

using chess::Position;

Position position_of(std::string_view arguments, bool chess960 = false) {
  auto position = parse_position(arguments, chess960);
  REQUIRE_MESSAGE(position.ok(), arguments);
  return position.take();
}

TEST_CASE("startpos and a FEN give the position they say") {
  CHECK(to_fen(position_of("startpos")) == chess::kStartFen);
  CHECK(to_fen(position_of("  startpos   moves  ")) == chess::kStartFen);
  CHECK(to_fen(position_of("fen " + std::string(chess::kStartFen))) == chess::kStartFen);
  const std::string fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17";
  CHECK(to_fen(position_of("fen " + fen)) == fen);
  CHECK(to_fen(position_of("fen " + fen + " moves")) == fen);
  // Clocks may be left out, blanks may be many.
  CHECK(to_fen(position_of("fen   8/8/8/4k3/8/8/8/R3K3   w  -  - ")) ==
        "8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
}

TEST_CASE("moves are made, and remembered for repetitions") {
  CHECK(to_fen(position_of("startpos moves e2e4 c7c5")) ==
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
  CHECK(to_fen(position_of("fen 4k2r/8/8/8/8/8/6p1/R3K3 w Qk - 0 1 moves e1c1 g2g1n")) ==
        "4k2r/8/8/8/8/8/8/2KR2n1 w k - 0 2");
  const Position shuffled = position_of("startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
  CHECK(shuffled.earlier_occurrences() == 2);
  CHECK(shuffled.is_repetition());
  CHECK(shuffled.game_ply() == 8);
}

TEST_CASE("in Chess960 castling is king takes rook, and the position knows it") {
  const std::string fen = "fen 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
  const Position position = position_of(fen, true);
  CHECK(position.is_chess960());
  const Position after = position_of(fen + " moves e1g1", true);
  CHECK(after.king(chess::Color::White) == chess::squares::g1);
  CHECK(to_fen(after).starts_with("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 b"));
  CHECK(position_of("startpos", true).is_chess960());
  CHECK(!position_of("startpos").is_chess960());
}

TEST_CASE("anything else is refused as a whole, with a sentence") {
  for (const std::string text : {
           "",
           "startposition",
           "moves e2e4",
           "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
           "startpos e2e4",
           "startpos move e2e4",
           "startpos moves e2e5",
           "startpos moves e7e5",
           "startpos moves e2e4 e7e5 e4e5",
           "startpos moves e2e4 e2e4",
           "startpos moves 0000",
           "startpos moves e2e4q",
           "startpos moves e1g1",
           "startpos moves Nf3",
           "startpos moves moves",
           "fen",
           "fen moves e2e4",
           "fen 8/8/8/8/8/8/8/8 w - - 0 1",
           "fen 4k3/8/8/8/8/8/8/4K2 w - - 0 1",
           "fen 4k3/8/8/8/8/8/8/4K3R w - - 0 1",
           "fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1",
           "fen 4k3/8/8/8/8/8/8/4K3 w Q - 0 1",
           "fen 4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
           "fen 4k3/8/8/8/8/8/8/4K3 w - - many 1",
           "fen 4k3/8/8/8/8/8/8/4K3 w",
           "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 e1e2",
           "fen 4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
           "fen 4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
           "fen 4k3/8/8/8/8/8/8/4KK2 w - - 0 1",
           "fen 7k/P7/8/8/8/8/8/7K w - - 0 1 moves a7a8",
       }) {
    CAPTURE(text);
    const auto position = parse_position(text, false);
    REQUIRE(!position.ok());
    CHECK(!position.error().empty());
    CHECK(position.error().find('\n') == std::string::npos);
  }
}

TEST_CASE("the sentence says which move is wrong") {
  CHECK(parse_position("startpos moves e2e4 e7e5 e4e6", false).error().starts_with("move 3: "));
  CHECK(parse_position("board", false).error().find("'board'") != std::string::npos);
}

}  // namespace
}  // namespace aleph::uci
