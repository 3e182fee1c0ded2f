#include "chess/fen.h"

#include <doctest/doctest.h>

#include <string>

#include "random_games.h"

using namespace aleph;
using namespace aleph::chess;

namespace {

std::string rewritten(std::string_view fen, FenDialect dialect = FenDialect::XFen) {
  const Result<Setup> setup = parse_fen_setup(fen);
  REQUIRE_MESSAGE(setup.ok(), setup.error());
  return to_fen(setup.value(), dialect);
}

std::string castling_of(std::string_view fen, FenDialect dialect) {
  const std::string text = rewritten(fen, dialect);
  const std::size_t begin = text.find(' ') + 3;
  return text.substr(begin, text.find(' ', begin) - begin);
}

}  // namespace

TEST_CASE("FENs come back as they were written") {
  for (const std::string_view fen : {
           kStartFen,
           std::string_view("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
           std::string_view("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 17 42"),
           std::string_view("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3"),
           std::string_view("k7/8/8/8/8/8/8/7K w - - 100 200"),
       })
    CHECK(rewritten(fen) == fen);
}

TEST_CASE("an en passant square survives in the setup, in a position only if a pawn can take") {
  const std::string useless = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
  CHECK(rewritten(useless) == useless);
  CHECK(to_fen(parse_fen(useless).value()) ==
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  const std::string useful = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3";
  CHECK(to_fen(parse_fen(useful).value()) == useful);
}

TEST_CASE("clocks may be missing, and space may abound") {
  const std::string board = "4k3/8/8/8/8/8/8/4K3";
  CHECK(rewritten(board + " w - -") == board + " w - - 0 1");
  CHECK(rewritten(board + " b - - 7") == board + " b - - 7 1");
  CHECK(rewritten("  " + board + "\tw  -   - 3\t 9 \r\n") == board + " w - - 3 9");
}

TEST_CASE("adjacent digits are read if the rank comes out right") {
  CHECK(rewritten("4k3/44/8/134/8/8/8/4K3 w - - 0 1") == "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
}

TEST_CASE("the three ways of writing castling rights mean the same") {
  const std::string board = "r3k2r/8/8/8/8/8/8/R3K2R w ";
  for (const std::string rights : {"KQkq", "HAha", "kqKQ", "HQha", "qKAh"}) {
    CAPTURE(rights);
    CHECK(rewritten(board + rights + " - 0 1") == board + "KQkq - 0 1");
  }
  CHECK(castling_of(board + "KQkq - 0 1", FenDialect::Shredder) == "HAha");
  CHECK(castling_of(board + "Kq - 0 1", FenDialect::Shredder) == "Ha");
  CHECK(castling_of(board + "- - 0 1", FenDialect::Shredder) == "-");
}

TEST_CASE("X-FEN names the file of an inner rook, and the outermost rook by K and Q") {
  // Rooks on b1, f1 and h1 around the king on e1.
  const std::string board = "4k3/8/8/8/8/8/8/1R2KR1R w ";
  const Setup outer = parse_fen_setup(board + "KQ - 0 1").value();
  CHECK(outer.castling_rooks[castling_index(Color::White, CastlingSide::King)] == squares::h1);
  CHECK(outer.castling_rooks[castling_index(Color::White, CastlingSide::Queen)] == squares::b1);
  const Setup inner = parse_fen_setup(board + "FQ - 0 1").value();
  CHECK(inner.castling_rooks[castling_index(Color::White, CastlingSide::King)] == squares::f1);

  CHECK(castling_of(board + "HB - 0 1", FenDialect::XFen) == "KQ");
  CHECK(castling_of(board + "FB - 0 1", FenDialect::XFen) == "FQ");
  CHECK(castling_of(board + "FB - 0 1", FenDialect::Shredder) == "FB");
  CHECK(castling_of("1r2kr1r/8/8/8/8/8/8/4K3 w fb - 0 1", FenDialect::XFen) == "fq");
}

TEST_CASE("what parse_fen reads, it can write and read again, in both dialects") {
  test::play_random_games(11, 50'000, [](Position& position, Move) {
    for (const FenDialect dialect : {FenDialect::XFen, FenDialect::Shredder}) {
      const std::string fen = to_fen(position, dialect);
      const Result<Position> read = parse_fen(fen);
      const bool same = read.ok() && read.value().setup() == position.setup() &&
                        read.value().keys() == position.keys() &&
                        to_fen(read.value(), dialect) == fen;
      if (!same) FAIL_CHECK(fen);
    }
  });
}

TEST_CASE("errors name their field") {
  CHECK(parse_fen("").error() == "pieces: missing");
  CHECK(parse_fen("8/8/8/8/8/8/8/8").error() == "side to move: missing");
  CHECK(parse_fen("8/8/8/8/8/8/8/8 x - -").error() == "side to move: must be 'w' or 'b', not 'x'");
  CHECK(parse_fen("8/8/8/8/8/8/8/8 w").error() == "castling: missing");
  CHECK(parse_fen("8/8/8/8/8/8/8/8 w -").error() == "en passant: missing");
  CHECK(parse_fen("8/8/8/8/8/8/8/8 w - - x").error() ==
        "halfmove clock: must be a whole number, not 'x'");
  CHECK(parse_fen("8/8/8/8/8/8/8/8 w - - 0 -1").error() ==
        "fullmove number: must be a whole number, not '-1'");
  CHECK(parse_fen("8/8/8/8/8/8/8/8 w - - 0 1 moves e2e4").error() ==
        "FEN: unexpected text after the fullmove number: 'moves e2e4'");
}
