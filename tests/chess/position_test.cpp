#include "chess/position.h"

#include <doctest/doctest.h>

#include <set>

#include "base/rng.h"
#include "chess/chess960.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/outcome.h"
#include "chess/uci_move.h"
#include "random_games.h"

using namespace aleph;
using namespace aleph::chess;
using namespace aleph::test;

namespace {

Position play(std::string_view fen, std::initializer_list<const char*> moves) {
  Position position = parse_fen(fen).take();
  for (const char* move : moves) position.make(parse_uci_move(move, position).take());
  return position;
}

// By trying: is there a move after which the rules of is_repetition hold?
bool slow_upcoming_repetition(Position& position, int search_ply) {
  for (const Move move : legal_moves(position)) {
    if (position.is_capture(move) || move.is_castling()) continue;
    position.make(move);
    const bool repeats = position.is_repetition(search_ply + 1);
    position.unmake();
    if (repeats) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("en passant is remembered only when a pawn can really take") {
  CHECK(!play(kStartFen, {"e2e4"}).en_passant());
  CHECK(play(kStartFen, {"e2e4", "a7a6", "e4e5", "d7d5"}).en_passant() == Square::at(3, 5));
  // Taking would bare the king along the rank.
  CHECK(!play("8/6p1/8/K4P1r/8/8/8/7k b - - 0 1", {"g7g5"}).en_passant());
  CHECK(!parse_fen("8/8/8/K4Ppr/8/8/8/7k w - g6 0 1").value().en_passant());
}

TEST_CASE("transpositions have equal keys, and rights make them differ") {
  const Position a = play(kStartFen, {"g1f3", "g8f6", "b1c3", "b8c6"});
  const Position b = play(kStartFen, {"b1c3", "b8c6", "g1f3", "g8f6"});
  CHECK(a.keys() == b.keys());
  const Position c =
      play(kStartFen, {"g1f3", "g8f6", "h1g1", "b8c6", "g1h1", "c6b8", "f3g1", "f6g8"});
  CHECK(c.key() != Position().key());
  CHECK(c.keys().pawn == Position().keys().pawn);
  CHECK(c.keys().non_pawn == Position().keys().non_pawn);
}

TEST_CASE("partial keys follow only their own pieces") {
  const Position start;
  const Position pawn = play(kStartFen, {"e2e4"});
  CHECK(pawn.keys().pawn != start.keys().pawn);
  CHECK(pawn.keys().minor == start.keys().minor);
  CHECK(pawn.keys().non_pawn == start.keys().non_pawn);
  const Position knight = play(kStartFen, {"g1f3"});
  CHECK(knight.keys().pawn == start.keys().pawn);
  CHECK(knight.keys().minor != start.keys().minor);
  CHECK(knight.keys().non_pawn[0] != start.keys().non_pawn[0]);
  CHECK(knight.keys().non_pawn[1] == start.keys().non_pawn[1]);
  const Position rook = play("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", {"a1a5"});
  CHECK(rook.keys().minor == parse_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").value().keys().minor);
}

TEST_CASE("a position repeats once inside the search, twice before it") {
  Position position = play(kStartFen, {"g1f3", "g8f6", "f3g1", "f6g8"});
  CHECK(position.earlier_occurrences() == 1);
  CHECK(!position.is_repetition());
  CHECK(!position.is_repetition(4));  // the first time was at the root: four plies ago
  CHECK(position.is_repetition(5));
  for (const char* move : {"g1f3", "g8f6", "f3g1", "f6g8"})
    position.make(parse_uci_move(move, position).take());
  CHECK(position.earlier_occurrences() == 2);
  CHECK(position.is_repetition());
  CHECK(outcome(position)->reason == EndReason::ThreefoldRepetition);
}

TEST_CASE("neither pawn moves nor null moves let a repetition through") {
  Position position = play(kStartFen, {"g1f3", "g8f6", "f3g1", "f6g8"});
  position.make_null();
  position.make_null();
  CHECK(position.earlier_occurrences() == 0);
  const Position pawn = play(kStartFen, {"e2e3", "e7e6", "g1f3", "g8f6", "f3g1", "f6g8"});
  CHECK(pawn.earlier_occurrences() == 1);
}

TEST_CASE("an upcoming repetition is seen exactly when a move makes one") {
  // Few men and few pawn moves, so that pieces wander back and forth.
  Rng rng(21);
  int found = 0, asked = 0;
  for (int game = 0; game < 600; ++game) {
    Position position = parse_fen(game % 2 == 0 ? "4k3/8/3n4/8/8/2B5/8/R3K3 w - - 0 1"
                                                : "6k1/5n2/8/1q6/8/8/2N5/K6Q b - - 0 1")
                            .take();
    for (int ply = 0; ply < 60 && has_legal_move(position); ++ply) {
      const MoveList moves = legal_moves(position);
      position.make(moves[rng.below(std::min<std::size_t>(moves.size(), 4))]);
      for (const int search_ply : {0, 2, 4, 6, 9, 100}) {
        const bool expected = slow_upcoming_repetition(position, search_ply);
        CHECK(position.has_upcoming_repetition(search_ply) == expected);
        found += expected;
        ++asked;
      }
    }
  }
  CHECK(found > asked / 50);
  CHECK(found < asked);
}

TEST_CASE("the last move is known until it is taken back") {
  Position position;
  CHECK(!position.last_move());
  position.make(Move(Square::at(4, 1), Square::at(4, 3)));
  CHECK(position.last_move() == Move(Square::at(4, 1), Square::at(4, 3)));
  CHECK(position.game_ply() == 1);
  position.make_null();
  CHECK(position.last_move() == Move());
  position.unmake();
  position.unmake();
  CHECK(!position.last_move());
  CHECK(position == Position());
}

TEST_CASE("Chess960 starting positions: 518 is the usual one, all differ, all are legal") {
  CHECK(chess960_setup(518) == Setup::starting());
  CHECK(to_fen(chess960_setup(0), FenDialect::Shredder) ==
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1");
  CHECK(to_fen(chess960_setup(959), FenDialect::Shredder) ==
        "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1");
  std::set<std::string> fens;
  for (int i = 0; i < kChess960Positions; ++i) {
    CHECK(Position::from(chess960_setup(i)).ok());
    fens.insert(to_fen(chess960_setup(i)));
  }
  CHECK(fens.size() == 960);
}

TEST_CASE("castling by king takes rook ends on the usual squares in Chess960") {
  const Position position = play("1rk3r1/6p1/8/8/8/8/6P1/1RK3R1 w GBgb - 0 1", {"c1g1", "c8b8"});
  CHECK(to_fen(position).starts_with("2kr2r1/6p1/8/8/8/8/6P1/1R3RK1 w - -"));
}
