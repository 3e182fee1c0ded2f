#include "data/le22ct.h"

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "chess/fen.h"
#include "chess/uci_move.h"
#include "datasets/le22ct_rows.h"

using namespace aleph;        // NOLINT: the subject of this file
using namespace aleph::data;  // NOLINT: the subject of this file
using chess::Move;
using chess::Position;

namespace {

Le22ctRow row_of(const char* fen, const char* move, Le22ctCoding coding = Le22ctCoding::Standard) {
  const Position position = chess::parse_fen(fen).take();
  return to_row(position, chess::parse_uci_move(move, position).value(), coding).value();
}

std::string read_back(const Le22ctRow& row, Le22ctCoding coding = Le22ctCoding::Standard) {
  const auto read = position_and_move(row, coding);
  if (!read.ok()) return read.error();
  const auto& [position, move] = read.value();
  return chess::to_fen(position) + " " + chess::to_uci(move, position);
}

// What is left of a position and a move after they have been a row.
PositionAndMove without_what_rows_lose(const Position& position, Move move, bool keep_en_passant) {
  chess::Setup setup = position.setup();
  setup.halfmove_clock = 0;
  setup.fullmove_number = 1;
  if (!keep_en_passant && !move.is_en_passant()) setup.en_passant = std::nullopt;
  if (move.is_promotion()) move = Move(move.from(), move.to(), chess::MoveKind::PromoteQueen);
  return {Position::from(setup).take(), move};
}

}  // namespace

TEST_CASE("the starting position, number by number") {
  const Le22ctRow row = row_of(chess::kStartFen.data(), "e2e4");
  const std::array<std::uint8_t, 64> board{
      5, 7, 9, 11, 13, 9, 7, 5,   // rank 1: White's rook, knight, bishop, queen, king ...
      3, 3, 3, 3,  3,  3, 3, 3,   //
      0, 0, 0, 0,  0,  0, 0, 0,   //
      0, 0, 0, 0,  0,  0, 0, 0,   //
      0, 0, 0, 0,  0,  0, 0, 0,   //
      0, 0, 0, 0,  0,  0, 0, 0,   //
      2, 2, 2, 2,  2,  2, 2, 2,   //
      4, 6, 8, 10, 12, 8, 6, 4};  // rank 8
  CHECK(row.board_position == board);
  CHECK(row.turn == 0);
  CHECK(row.white_kingside_castling_rights == 1);
  CHECK(row.white_queenside_castling_rights == 1);
  CHECK(row.black_kingside_castling_rights == 1);
  CHECK(row.black_queenside_castling_rights == 1);
  CHECK(row.from_square == 12);
  CHECK(row.to_square == 28);
}

TEST_CASE("the same in the coding of chess-transformers") {
  const Le22ctRow row =
      row_of("r3k2r/8/8/8/4pP2/8/8/4K3 b kq f3 0 1", "e4f3", Le22ctCoding::ChessTransformers);
  CHECK(row.board_position[0] == 5);    // a8: a black rook
  CHECK(row.board_position[4] == 13);   // e8: the black king
  CHECK(row.board_position[60] == 12);  // e1: the white king
  CHECK(row.board_position[37] == 2);   // f4: a white pawn
  CHECK(row.board_position[45] == 1);   // f3: en passant
  CHECK(row.turn == 0);
  CHECK(row.white_kingside_castling_rights == 0);
  CHECK(row.black_kingside_castling_rights == 1);
  CHECK(row.from_square == 36);
  CHECK(row.to_square == 45);
  CHECK(read_back(row, Le22ctCoding::ChessTransformers) ==
        "r3k2r/8/8/8/4pP2/8/8/4K3 b kq f3 0 1 e4f3");
}

TEST_CASE("random games come back, but for what rows do not tell") {
  int castling = 0, en_passant = 0, promotions = 0, underpromotions = 0;
  for (const auto coding : {Le22ctCoding::Standard, Le22ctCoding::ChessTransformers})
    test::visit_random_games(100, 300, 1, [&](const Position& position, Move move) {
      castling += move.is_castling();
      en_passant += move.is_en_passant();
      promotions += move.is_promotion();
      underpromotions += move.is_promotion() && move.promotion() != chess::PieceType::Queen;
      const auto row = to_row(position, move, coding);
      REQUIRE(row.ok());
      const auto read = position_and_move(row.value(), coding);
      REQUIRE_MESSAGE(read.ok(), read.error());
      const auto expected = without_what_rows_lose(
          position, move, /*keep_en_passant=*/coding == Le22ctCoding::ChessTransformers);
      REQUIRE(read.value().position == expected.position);
      REQUIRE(read.value().move == expected.move);
      REQUIRE(to_row(read.value().position, read.value().move, coding).value() == row.value());
    });
  CHECK(castling > 0);
  CHECK(en_passant > 0);
  CHECK(promotions > underpromotions);
  CHECK(underpromotions > 0);
}

TEST_CASE("a row whose move takes en passant gets the square, others do not") {
  const char* const fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
  const Le22ctRow taking = row_of(fen, "e5d6"), stepping = row_of(fen, "e5e6");
  CHECK(taking.board_position[43] == 0);  // d6
  CHECK(read_back(taking) == "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 e5d6");
  CHECK(read_back(stepping) == "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1 e5e6");
}

TEST_CASE("castling is told by the king's two squares") {
  const char* const fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
  const Le22ctRow row = row_of(fen, "e8c8");
  CHECK(row.from_square == 60);
  CHECK(row.to_square == 58);
  CHECK(position_and_move(row).value().move.is_castling());
  CHECK(read_back(row) == "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1 e8c8");
}

TEST_CASE("a pawn that promotes becomes a queen") {
  CHECK(read_back(row_of("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n")) ==
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1 a7a8q");
}

TEST_CASE("what is not chess is refused, with the field or the reason") {
  const Le22ctRow good = row_of(chess::kStartFen.data(), "e2e4");
  const auto error = [&](const std::function<void(Le22ctRow&)>& spoil) {
    Le22ctRow row = good;
    spoil(row);
    return read_back(row);
  };
  CHECK(error([](Le22ctRow& row) { row.turn = 2; }) == "turn: 2 is neither 0 nor 1");
  CHECK(error([](Le22ctRow& row) { row.board_position[20] = 14; }) ==
        "board_position: 14 on e3 is not the code of a piece");
  CHECK(error([](Le22ctRow& row) { row.board_position[20] = 1; }) ==
        "board_position: 1 on e3 is not the code of a piece");
  CHECK(error([](Le22ctRow& row) { row.from_square = 64; }) ==
        "from_square: 64 is not a square, 0 to 63");
  CHECK(error([](Le22ctRow& row) { row.to_square = 255; }) ==
        "to_square: 255 is not a square, 0 to 63");
  CHECK(error([](Le22ctRow& row) { row.black_kingside_castling_rights = 255; }) ==
        "black_kingside_castling_rights: 255 is neither 0 nor 1");
  CHECK(error([](Le22ctRow& row) { std::swap(row.board_position[3], row.board_position[4]); }) ==
        "white_kingside_castling_rights: White's king is not on e1");
  CHECK(error([](Le22ctRow& row) { row.board_position[7] = 0; }) ==
        "castling: White has no rook on h1 to castle with");
  CHECK(error([](Le22ctRow& row) {
          row.board_position[60] = 0;
          row.black_kingside_castling_rights = row.black_queenside_castling_rights = 0;
        }) == "pieces: Black has no king");
  CHECK(error([](Le22ctRow& row) { row.to_square = 36; }) ==
        "'e2e5' is illegal: the pawn on e2 cannot go to e5");
  CHECK(error([](Le22ctRow& row) { row.to_square = 19; }).starts_with("en passant: d3 is not on"));
}

TEST_CASE("castling rights of Chess960 have no row") {
  const Position position = chess::parse_fen("1r2k3/8/8/8/8/8/8/1R2K3 w B - 0 1").take();
  const auto row = to_row(position, chess::parse_uci_move("e1e2", position).value());
  REQUIRE(!row.ok());
  CHECK(row.error() == "castling with the rook on b1 is Chess960, which rows cannot tell");
}
