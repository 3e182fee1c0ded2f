#include "chess/packed_position.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/rng.h"
#include "chess/chess960.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "random_games.h"

using namespace aleph;
using namespace aleph::chess;

namespace {

static_assert(PackedPosition::kSize == 32 && sizeof(PackedPosition) == 32);

constexpr std::size_t kPieceBytes = 8, kFlags = 24, kSpare = 25, kHalfmoves = 26, kMoves = 28;

Position position_of(std::string_view fen) {
  Result<Position> position = parse_fen(fen);
  REQUIRE_MESSAGE(position.ok(), position.error());
  return position.take();
}

std::string hex_of(const PackedPosition& packed) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : packed.bytes) {
    text += kDigits[std::to_integer<std::size_t>(byte) >> 4];
    text += kDigits[std::to_integer<std::size_t>(byte) & 15];
  }
  return text;
}

// Empty if all that a packed position holds comes back.
std::string difference_after_packing(const Position& position) {
  const PackedPosition packed = pack(position);
  const Result<Position> unpacked = unpack(packed);
  if (!unpacked.ok()) return unpacked.error();
  const Position& again = unpacked.value();
  if (again.setup() != position.setup()) return "another setup";
  if (to_fen(again, FenDialect::Shredder) != to_fen(position, FenDialect::Shredder))
    return "another FEN";
  if (again.is_chess960() != position.is_chess960()) return "another way to write castling";
  if (again.keys() != position.keys()) return "another key";
  if (again.game_ply() != position.game_ply()) return "another ply";
  if (again.history_size() != 0) return "a history";
  if (pack(again) != packed) return "other bytes";
  const auto plain = unpack_board(packed);
  if (!plain || plain->board != position.board() || plain->chess960 != position.is_chess960())
    return "another board";
  return "";
}

void check_comes_back(const Position& position) {
  const std::string difference = difference_after_packing(position);
  if (difference.empty()) return;
  const std::string message = difference + " after packing " + to_fen(position);
  FAIL_CHECK(message);
}

struct ByteChange {
  std::size_t at;
  int value;
};

// Why a position is refused in which some bytes have been changed; without "packed position: ".
std::string refusal(std::string_view fen, std::initializer_list<ByteChange> changes) {
  PackedPosition packed = pack(position_of(fen));
  for (const ByteChange& change : changes)
    packed.bytes[change.at] = static_cast<std::byte>(change.value);
  const Result<Position> unpacked = unpack(packed);
  if (unpacked.ok()) return "";
  constexpr std::string_view kPrefix = "packed position: ";
  CHECK(unpacked.error().starts_with(kPrefix));
  return unpacked.error().substr(kPrefix.size());
}

constexpr std::string_view kBareKings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

}  // namespace

TEST_CASE("packed: the starting position, byte by byte") {
  CHECK(hex_of(pack(Position())) ==
        "ffff00000000ffff"
        "2c844ac200000000"
        "111111113d955bd3"
        "0000"  // White to move, ordinary castling
        "0000"
        "01000000");
  CHECK(hex_of(pack(position_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 300"))) ==
        "1000000018000010"
        "eab0000000000000"
        "0000000000000000"
        "0000"
        "0000"
        "2c010000");
}

TEST_CASE("packed: random games come back, ordinary and Chess960") {
  int positions = 0, en_passant = 0;
  test::play_random_games(21, 60'000, [&](Position& position, Move) {
    check_comes_back(position);
    ++positions;
    if (position.en_passant()) ++en_passant;
  });
  CHECK(positions == 60'000);
  CHECK(en_passant > 50);
}

TEST_CASE("packed: all 960 starting positions, and both ways to write castling") {
  for (int number = 0; number < kChess960Positions; ++number) {
    Position position = Position::from(chess960_setup(number)).take();
    for (const bool chess960 : {true, false}) {
      position.set_chess960(chess960);
      check_comes_back(position);
    }
  }
}

TEST_CASE("packed: rights of single rooks, inner rooks, and none") {
  for (const std::string_view fen :
       {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w Qk - 7 9", "r3k2r/8/8/8/8/8/8/R3K2R b - - 0 1",
        "1r2kr1r/8/8/8/8/8/8/4K3 w fb - 0 1", "1r2kr1r/8/8/8/8/8/8/4K3 b hb - 0 1",
        "rk4r1/8/8/8/8/8/8/RK4R1 w GAga - 0 1"})
    check_comes_back(position_of(fen));
}

TEST_CASE("packed: en passant for both sides, and where no pawn can take") {
  for (const std::string_view fen :
       {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 12",
        "4k3/8/8/8/6pP/8/8/4K3 b - h3 0 12", "8/8/8/K4Ppr/8/8/8/7k w - g6 0 1"})
    check_comes_back(position_of(fen));
  CHECK(unpack(pack(position_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"))).value().en_passant() ==
        Square::at(3, 5));
}

TEST_CASE("packed: many pieces of one kind, after promotions") {
  for (const std::string_view fen :
       {"QQQQQQQQ/Q7/8/8/8/8/k7/7K b - - 0 90", "nnnnnnnn/nn6/8/8/8/8/8/k1K5 w - - 3 90",
        "4k3/P7/8/8/8/8/p7/4K3 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"})
    check_comes_back(position_of(fen));
  Position position = position_of("3n1n2/4P3/8/8/8/8/k7/7K w - - 0 1");
  for (const char* const move : {"e7e8q", "e7d8r", "e7f8b", "e7e8n"}) {
    position.make(parse_uci_move(move, position).take());
    check_comes_back(position);
    position.unmake();
  }
}

TEST_CASE("packed: clocks from 0 to 999, move numbers to 100,000") {
  Setup setup = position_of(kBareKings).setup();
  for (const Color side : {Color::White, Color::Black}) {
    setup.side_to_move = side;
    setup.fullmove_number = 57;
    for (setup.halfmove_clock = 0; setup.halfmove_clock <= 999; ++setup.halfmove_clock)
      check_comes_back(Position::from(setup).take());
    setup.halfmove_clock = 99;
    for (const int number : {1, 2, 255, 256, 9'999, 65'535, 65'536, 99'999, 100'000}) {
      setup.fullmove_number = number;
      check_comes_back(Position::from(setup).take());
      CHECK(unpack(pack(Position::from(setup).value())).value().fullmove_number() == number);
    }
  }
}

TEST_CASE("packed: different positions have different bytes") {
  const Position position = position_of("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 9");
  for (const std::string_view fen :
       {"r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 9", "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk d6 0 9",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 1 9", "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 10",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 9", "r3k2r/8/8/3pP3/8/8/8/R3KR2 w Qkq d6 0 9"})
    CHECK(pack(position_of(fen)) != pack(position));
  Position chess960 = position;
  chess960.set_chess960(true);
  CHECK(pack(chess960) != pack(position));
}

TEST_CASE("packed: bytes that are no packed position are refused") {
  CHECK(unpack(PackedPosition()).error() == "packed position: pieces: White has no king");
  CHECK(refusal(kStartFen, {{2, 0x01}}) == "more than 32 pieces");
  CHECK(refusal(kStartFen, {{kFlags, 4}}) == "spare bits are not zero");
  CHECK(refusal(kStartFen, {{kFlags, 128}}) == "spare bits are not zero");
  CHECK(refusal(kStartFen, {{kSpare, 1}}) == "spare bits are not zero");
  CHECK(refusal(kBareKings, {{kPieceBytes + 1, 0x10}}) == "spare bits are not zero");
  CHECK(refusal(kBareKings, {{kPieceBytes + 15, 0x10}}) == "spare bits are not zero");
  CHECK(refusal(kStartFen, {{kPieceBytes + 4, 0x0F}}) == "there is no piece 15");
  CHECK(refusal(kStartFen, {{kPieceBytes + 4, 0xEE}}) == "two pawns may be taken en passant");
  CHECK(refusal(kStartFen, {{kPieceBytes + 2, 0x48}}) == "a rook may castle, but there is no king");
  CHECK(refusal(kStartFen, {{kPieceBytes, 0xCC}}) == "two rooks may castle on the same side");
}

TEST_CASE("packed: bytes of illegal positions are refused") {
  CHECK(refusal(kBareKings, {{kPieceBytes, 0x9A}}) == "pieces: Black has no king");
  CHECK(refusal(kStartFen, {{kPieceBytes, 0x0C}}) ==
        "pieces: White has 9 pawns, 8 at most are possible");
  CHECK(refusal(kStartFen, {{kHalfmoves, 0xE8}, {kHalfmoves + 1, 0x03}}) ==
        "halfmove clock: must be from 0 to 999, not 1000");
  CHECK(refusal(kStartFen, {{kMoves, 0xA1}, {kMoves + 1, 0x86}, {kMoves + 2, 0x01}}) ==
        "fullmove number: must be from 0 to 100000, not 100001");
  CHECK(refusal(kStartFen, {{kMoves + 3, 0xFF}}) ==
        "fullmove number: must be from 0 to 100000, not 2147483647");
  CHECK(refusal("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", {{kFlags, 1}}) ==
        "side to move: Black is to move and could take the king on e1");
  // Nibbles in the order of squares: those of the pieces beside the kings become special.
  CHECK(refusal("4k3/8/8/8/8/p7/8/4K3 w - - 0 1", {{kPieceBytes, 0xEA}}) ==
        "en passant: a4 is not on rank 6, where White takes en passant");
  CHECK(refusal("4k3/8/8/8/8/R7/8/4K3 w - - 0 1", {{kPieceBytes, 0xCA}}) ==
        "castling: White cannot castle with the rook on a3");
  CHECK(refusal("4k3/8/8/8/8/8/4K3/R7 w - - 0 1", {{kPieceBytes, 0xAC}}) ==
        "castling: White may not castle, the king is on e2");
  // A pawn that would have passed a square beyond the board.
  CHECK(refusal(kBareKings, {{kPieceBytes, 0xEA}}) ==
        "a pawn on the last rank may be taken en passant");
  CHECK(refusal(kBareKings, {{kPieceBytes, 0xBE}, {kFlags, 1}}) ==
        "a pawn on the last rank may be taken en passant");
}

// What unpack_board lets through that unpack refuses must at least be safe to generate moves on.
TEST_CASE("packed: a board of changed bytes is refused or has moves that can be counted") {
  Rng rng(8);
  int boards = 0, positions = 0;
  test::play_random_games(22, 4'000, [&](Position& position, Move) {
    PackedPosition packed = pack(position);
    for (int i = 0; i < 3; ++i) {
      packed.bytes[rng.below(kFlags + 1)] ^= static_cast<std::byte>(1U << rng.below(8));
      const auto plain = unpack_board(packed);
      const auto whole = unpack(packed);
      if (whole.ok()) REQUIRE(plain);
      if (whole.ok()) REQUIRE(plain->board == whole.value().board());
      boards += plain.has_value();
      positions += whole.ok();
      if (!plain) continue;
      MoveCounter counter;
      if (plain->board.side_to_move() == Color::White)
        visit_moves<Color::White, MoveSet::All>(plain->board, plain->castling,
                                                king_danger<Color::White>(plain->board), counter);
      else
        visit_moves<Color::Black, MoveSet::All>(plain->board, plain->castling,
                                                king_danger<Color::Black>(plain->board), counter);
      REQUIRE(counter.count < 2'000);
    }
  });
  CHECK(boards > positions);
  CHECK(positions > 100);
}
