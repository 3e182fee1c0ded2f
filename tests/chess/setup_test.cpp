#include "chess/setup.h"

#include <doctest/doctest.h>

#include <string>

#include "chess/fen.h"
#include "chess/position.h"

using namespace aleph;
using namespace aleph::chess;

namespace {

// Empty if the position is legal.
std::string complaint(std::string_view fen) {
  const Result<Setup> setup = parse_fen_setup(fen);
  REQUIRE_MESSAGE(setup.ok(), setup.error());
  const Status status = validate(setup.value());
  return status.ok() ? "" : status.error();
}

bool is_complaint_about(std::string_view fen, std::string_view field) {
  const std::string text = complaint(fen);
  CAPTURE(text);
  return text.starts_with(field);
}

}  // namespace

TEST_CASE("the starting setup is that of the starting FEN, and legal") {
  const Setup setup = Setup::starting();
  CHECK(setup == parse_fen_setup(kStartFen).value());
  CHECK(validate(setup).ok());
  CHECK(setup.king(Color::White) == squares::e1);
  CHECK(setup.king(Color::Black) == squares::e8);
  CHECK_FALSE(Setup().king(Color::White).has_value());
}

TEST_CASE("each side has one king") {
  CHECK(is_complaint_about("8/8/8/8/8/8/8/4K3 w - - 0 1", "pieces: Black has no king"));
  CHECK(is_complaint_about("k7/8/8/8/8/8/8/8 w - - 0 1", "pieces: White has no king"));
  CHECK(is_complaint_about("k7/8/8/8/8/8/8/K6K w - - 0 1", "pieces: White has 2 kings"));
  CHECK(is_complaint_about("8/8/8/8/8/8/8/8 w - - 0 1", "pieces: White has no king"));
  CHECK_FALSE(validate(Setup()).ok());
}

TEST_CASE("material stays within what promotion allows") {
  // Nine queens and no pawn are possible, ten are not.
  CHECK(complaint("k7/8/8/8/8/8/QQQQQQ2/QQQK4 b - - 0 1") == "");
  CHECK(is_complaint_about("7k/8/8/8/8/8/QQQQQ3/QQQQQ2K b - - 0 1",
                           "pieces: White has more promoted"));
  // A second queen needs a missing pawn.
  CHECK(complaint("k7/8/8/8/8/8/PPPPPPP1/QQ2K3 w - - 0 1") == "");
  CHECK(is_complaint_about("k7/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
                           "pieces: White has more promoted"));
  CHECK(is_complaint_about("4k3/pppppppp/8/8/8/8/8/nnnNK3 b - - 0 1",
                           "pieces: Black has more promoted"));
  CHECK(is_complaint_about("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "pieces: White has 9 pawns"));
  CHECK(
      is_complaint_about("4k3/8/8/8/8/R7/PPPPPPPP/RNBQKBNR w - - 0 1", "pieces: White has 17 men"));
}

TEST_CASE("no pawn stands on the first or last rank") {
  CHECK(complaint("4k3/8/8/8/8/8/8/P3K3 w - - 0 1") == "pieces: a pawn cannot stand on a1");
  CHECK(complaint("4k2P/8/8/8/8/8/8/4K3 w - - 0 1") == "pieces: a pawn cannot stand on h8");
  CHECK(complaint("p3k3/8/8/8/8/8/8/4K3 b - - 0 1") == "pieces: a pawn cannot stand on a8");
}

TEST_CASE("the side that has just moved is not in check") {
  CHECK(is_complaint_about("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "side to move: White"));
  CHECK(complaint("4k3/8/8/8/8/8/8/K3R3 b - - 0 1") == "");
  CHECK(is_complaint_about("8/8/8/8/8/8/kK6/8 b - - 0 1", "side to move: Black"));
  CHECK(is_complaint_about("8/8/8/3k4/4P3/8/8/K7 w - - 0 1", "side to move: White"));
}

TEST_CASE("two pieces at most give check") {
  CHECK(complaint("4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1") == "");
  CHECK(is_complaint_about("4k3/8/3N4/1B6/8/8/8/K3R3 b - - 0 1",
                           "pieces: 3 pieces give check to Black"));
}

TEST_CASE("castling rights need king and rook at home") {
  CHECK(complaint("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1") == "");
  CHECK(complaint("k7/8/8/8/8/8/8/1R1K2R1 w GB - 0 1") == "");

  const Setup good = parse_fen_setup("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").value();
  const auto with_rook = [&](Color color, CastlingSide side, Square square) {
    Setup setup = good;
    setup.castling_rooks[castling_index(color, side)] = square;
    const Status status = validate(setup);
    return status.ok() ? std::string() : status.error();
  };
  CHECK(with_rook(Color::White, CastlingSide::King, squares::h1) == "");
  CHECK(with_rook(Color::White, CastlingSide::King, squares::g1).starts_with("castling: "));
  CHECK(with_rook(Color::White, CastlingSide::King, squares::a1).starts_with("castling: "));
  CHECK(with_rook(Color::White, CastlingSide::King, squares::h8).starts_with("castling: "));
  CHECK(with_rook(Color::Black, CastlingSide::Queen, squares::h8).starts_with("castling: "));
  CHECK(with_rook(Color::Black, CastlingSide::Queen, squares::e8).starts_with("castling: "));

  Setup walked = good;
  walked.pieces[squares::e1.index()].reset();
  walked.pieces[Square::at(4, 1).index()] = Piece(Color::White, PieceType::King);
  CHECK(validate(walked).error() == "castling: White may not castle, the king is on e2");
}

TEST_CASE("an en passant square lies behind a pawn that has just made a double step") {
  CHECK(complaint("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1") == "");
  CHECK(complaint("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 5 1") == "");  // lenient: the clock may be wrong
  CHECK(complaint("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1") == "");   // nobody need be able to take
  CHECK(is_complaint_about("4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 1", "en passant: d6 is not on rank 3"));
  CHECK(is_complaint_about("4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1", "en passant: d5 is not on rank 6"));
  CHECK(is_complaint_about("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1",
                           "en passant: Black has no pawn on d5"));
  CHECK(is_complaint_about("4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1", "en passant: Black has no pawn"));
  CHECK(
      is_complaint_about("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "en passant: Black's pawn cannot"));
  CHECK(
      is_complaint_about("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", "en passant: Black's pawn cannot"));
  CHECK(is_complaint_about("4k3/8/8/8/8/8/8/4K3 w - a8 0 1", "en passant: a8"));
}

TEST_CASE("clocks stay within bounds") {
  CHECK(complaint("4k3/8/8/8/8/8/8/4K3 w - - 999 100000") == "");
  CHECK(complaint("4k3/8/8/8/8/8/8/4K3 w - - 0 0") == "");
  CHECK(is_complaint_about("4k3/8/8/8/8/8/8/4K3 w - - 1000 1", "halfmove clock: "));
  CHECK(is_complaint_about("4k3/8/8/8/8/8/8/4K3 w - - 0 100001", "fullmove number: "));
  Setup setup = Setup::starting();
  setup.halfmove_clock = -1;
  CHECK(validate(setup).error() == "halfmove clock: must be from 0 to 999, not -1");
}

TEST_CASE("a position is made of exactly the legal setups") {
  CHECK(Position::from(Setup::starting()).ok());
  CHECK(Position::from(Setup()).error() == "pieces: White has no king");
  // Move 0 is how some programs count: it is read as 1.
  CHECK(parse_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 0").value().fullmove_number() == 1);
}
