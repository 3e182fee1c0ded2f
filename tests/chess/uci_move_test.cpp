#include "chess/uci_move.h"

#include <doctest/doctest.h>

#include <string>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "random_games.h"

using namespace aleph;
using namespace aleph::chess;

namespace {

Position position_of(std::string_view fen) {
  Result<Position> position = parse_fen(fen);
  REQUIRE_MESSAGE(position.ok(), position.error());
  return position.take();
}

// The move as it is written back, or the error.
std::string read(std::string_view text, const Position& position) {
  const Result<Move> move = parse_uci_move(text, position);
  return move.ok() ? to_uci(move.value(), position) : move.error();
}

}  // namespace

TEST_CASE("squares have names") {
  CHECK(square_name(squares::a1) == "a1");
  CHECK(square_name(Square::at(4, 3)) == "e4");
  for (int i = 0; i < 64; ++i)
    CHECK(parse_square(square_name(Square::from_index(i))) == Square::from_index(i));
  for (const std::string_view name : {"", "e", "e9", "i1", "E4", "e44", "4e", "e0", " e4"})
    CHECK_FALSE(parse_square(name).has_value());
}

TEST_CASE("ordinary moves, captures and promotions") {
  const Position start;
  CHECK(parse_uci_move("e2e4", start).value() == Move(Square::at(4, 1), Square::at(4, 3)));
  CHECK(read("g1f3", start) == "g1f3");
  CHECK(to_uci(Move(), start) == "0000");

  const Position promoting = position_of("3n1n2/4P3/8/8/8/8/k7/7K w - - 0 1");
  CHECK(read("e7e8q", promoting) == "e7e8q");
  CHECK(read("e7e8N", promoting) == "e7e8n");
  CHECK(read("e7d8b", promoting) == "e7d8b");
  CHECK(read("e7f8R", promoting) == "e7f8r");
  CHECK(parse_uci_move("e7e8r", promoting).value().promotion() == PieceType::Rook);
}

TEST_CASE("en passant is recognised") {
  const Position position = position_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
  CHECK(parse_uci_move("e5d6", position).value().is_en_passant());
  CHECK_FALSE(parse_uci_move("e5e6", position).value().is_en_passant());
}

TEST_CASE("castling is read in both forms and written in the one of the position") {
  Position position = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  for (const std::string_view text : {"e1g1", "e1h1"}) {
    CHECK(parse_uci_move(text, position).value() ==
          Move(squares::e1, squares::h1, MoveKind::Castling));
    CHECK(read(text, position) == "e1g1");
  }
  for (const std::string_view text : {"e1c1", "e1a1"}) CHECK(read(text, position) == "e1c1");
  position.set_chess960(true);
  CHECK(read("e1g1", position) == "e1h1");
  CHECK(read("e1c1", position) == "e1a1");
}

TEST_CASE("in Chess960 a king's step is no castling") {
  // The king can step to g1, or castle with the rook on h1.
  const Position step = position_of("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
  CHECK(read("f1g1", step) == "f1g1");
  CHECK_FALSE(parse_uci_move("f1g1", step).value().is_castling());
  CHECK(parse_uci_move("f1h1", step).value().is_castling());
  // With the rook on g1 there is no step; the rook is the target.
  const Position rook = position_of("4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
  CHECK(parse_uci_move("f1g1", rook).value().is_castling());
  // From b1 the king cannot step to g1, so that means castling.
  const Position far = position_of("4k3/8/8/8/8/8/8/1K5R w H - 0 1");
  CHECK(parse_uci_move("b1g1", far).value().is_castling());
  // A king that stays where it is castles only by taking the rook.
  const Position still = position_of("4k3/8/8/8/8/8/8/6KR w H - 0 1");
  CHECK(parse_uci_move("g1h1", still).value().is_castling());
  CHECK_FALSE(parse_uci_move("g1g1", still).ok());
  // The step to c1 is attacked and so is castling, which would end there too.
  const Position attacked = position_of("2r1k3/8/8/8/8/8/8/RK6 w A - 0 1");
  CHECK_FALSE(parse_uci_move("b1c1", attacked).ok());
}

TEST_CASE("errors say what is wrong") {
  const Position start;
  CHECK(read("e2e5", start) == "'e2e5' is illegal: the pawn on e2 cannot go to e5");
  CHECK(read("e3e4", start) == "'e3e4' is illegal: no piece on e3");
  CHECK(read("e7e5", start) == "'e7e5' is illegal: the pawn on e7 is not White's, who is to move");
  CHECK(read("e1g1", start) == "'e1g1' is illegal: the king cannot castle now");
  CHECK(read("e2e4q", start) == "'e2e4q' is illegal: no pawn promotes by this move");
  CHECK(read("0000", start) == "'0000' is the null move, which is not legal");
  CHECK(read("", start) == "'' is not a move like e2e4 or e7e8q");
  CHECK(read("e2 e4", start) == "'e2 e4' is not a move like e2e4 or e7e8q");
  CHECK(read("e2e4k", start) == "'e2e4k' is not a move: a pawn becomes q, r, b or n, not 'k'");
  const Position promoting = position_of("8/4P3/8/8/8/8/k7/7K w - - 0 1");
  CHECK(read("e7e8", promoting) == "'e7e8' must say which piece the pawn becomes, as in e7e8q");
  const Position pinned = position_of("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1");
  CHECK(read("e2c3", pinned) == "'e2c3' is illegal: it leaves the king in check");
}

TEST_CASE("exactly the legal moves are accepted, and come back as they went out") {
  int ply = 0;
  test::play_random_games(12, 50'000, [&](Position& position, Move played) {
    const auto comes_back = [&](Move move) {
      const Result<Move> read = parse_uci_move(to_uci(move, position), position);
      return read.ok() && read.value() == move;
    };
    if (!comes_back(played)) FAIL_CHECK(to_fen(position) << " " << to_uci(played, position));
    if (ply++ % 500 != 0) return;
    const MoveList moves = legal_moves(position);
    for (const Move move : moves)
      if (!comes_back(move)) FAIL_CHECK(to_fen(position) << " " << to_uci(move, position));
    for (int from = 0; from < 64; ++from)
      for (int to = 0; to < 64; ++to)
        for (const std::string_view promotion : {"", "q"}) {
          std::string text = square_name(Square::from_index(from));
          text += square_name(Square::from_index(to));
          text += promotion;
          const Result<Move> read = parse_uci_move(text, position);
          if (read.ok() && !moves.contains(read.value()))
            FAIL_CHECK(to_fen(position) << " " << text);
        }
  });
}
