// Rows of LE22ct: a position and the move that was played in it, as small integers. This is what
// the rows mean; le22ct_file.h has the files. docs/formats/le22ct.md describes fields and codes.
#pragma once

#include <array>
#include <cstdint>

#include "base/result.h"
#include "chess/move.h"
#include "chess/position.h"

namespace aleph::data {

// A row as a file has it, its fields under their names there. Any values are possible;
// position_and_move() judges them.
struct Le22ctRow {
  std::array<std::uint8_t, 64> board_position{};
  std::uint8_t turn = 0;
  std::uint8_t white_kingside_castling_rights = 0, white_queenside_castling_rights = 0;
  std::uint8_t black_kingside_castling_rights = 0, black_queenside_castling_rights = 0;
  std::uint8_t from_square = 0, to_square = 0;

  friend bool operator==(const Le22ctRow&, const Le22ctRow&) = default;
};
static_assert(sizeof(Le22ctRow) == 71, "bytes without gaps: files are read and written as memory");

// Which numbers mean what; the fields are the same. Read with the wrong one, a row is the position
// with colours and sides of the board exchanged, castling rights excepted.
enum class Le22ctCoding : std::uint8_t {
  // White's pieces have odd codes, White to move is 0, a1 is 0. En passant is not told.
  Standard,
  // The file that chess-transformers published: White's pieces have even codes, White to move is 1,
  // a8 is 0, and code 1 marks the en passant square.
  ChessTransformers,
};

struct PositionAndMove {
  chess::Position position;  // its clocks are 0 and 1, since rows have none
  chess::Move move;          // legal there
};

// Fails with a sentence that names the field, or says why the position or the move is not legal.
// What rows do not tell is taken from the move: a pawn that takes on an empty square takes en
// passant, and the position allows it; a pawn that reaches the last rank becomes a queen.
Result<PositionAndMove> position_and_move(const Le22ctRow& row,
                                          Le22ctCoding coding = Le22ctCoding::Standard);

// The move must be legal. Clocks, the piece a pawn becomes, and (in the standard coding) en passant
// are lost. Fails if the position has castling rights of Chess960, which rows cannot tell.
Result<Le22ctRow> to_row(const chess::Position& position, chess::Move move,
                         Le22ctCoding coding = Le22ctCoding::Standard);

// A promotion that a row turns into one to a queen.
bool is_underpromotion(chess::Move move);

}  // namespace aleph::data
