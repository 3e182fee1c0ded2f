// Piece-square values of Stockfish 14 to 16 (facts, as published with it), without the values of
// the pieces. Rank 1 first, seen from White; all but pawns are symmetric, so that files a-d are
// enough.
#include "eval/classical/piece_square.h"
#include "eval/classical/piece_values.h"

namespace aleph::eval::classical {
namespace {

using HalfBoard = std::array<std::array<std::int16_t, 4>, 8>;
using FullBoard = std::array<std::array<std::int16_t, 8>, 8>;

namespace middle_game {

constexpr FullBoard kPawn{{
    {{0, 0, 0, 0, 0, 0, 0, 0}},
    {{2, 4, 11, 18, 16, 21, 9, -3}},
    {{-9, -15, 11, 15, 31, 23, 6, -20}},
    {{-3, -20, 8, 19, 39, 17, 2, -5}},
    {{11, -4, -11, 2, 11, 0, -12, 5}},
    {{3, -11, -6, 22, -8, -5, -14, -11}},
    {{-7, 6, -2, -11, 4, -14, 10, -9}},
    {{0, 0, 0, 0, 0, 0, 0, 0}},
}};
constexpr HalfBoard kKnight{{
    {{-175, -92, -74, -73}},
    {{-77, -41, -27, -15}},
    {{-61, -17, 6, 12}},
    {{-35, 8, 40, 49}},
    {{-34, 13, 44, 51}},
    {{-9, 22, 58, 53}},
    {{-67, -27, 4, 37}},
    {{-201, -83, -56, -26}},
}};
constexpr HalfBoard kBishop{{
    {{-37, -4, -6, -16}},
    {{-11, 6, 13, 3}},
    {{-5, 15, -4, 12}},
    {{-4, 8, 18, 27}},
    {{-8, 20, 15, 22}},
    {{-11, 4, 1, 8}},
    {{-12, -10, 4, 0}},
    {{-34, 1, -10, -16}},
}};
constexpr HalfBoard kRook{{
    {{-31, -20, -14, -5}},
    {{-21, -13, -8, 6}},
    {{-25, -11, -1, 3}},
    {{-13, -5, -4, -6}},
    {{-27, -15, -4, 3}},
    {{-22, -2, 6, 12}},
    {{-2, 12, 16, 18}},
    {{-17, -19, -1, 9}},
}};
constexpr HalfBoard kQueen{{
    {{3, -5, -5, 4}},
    {{-3, 5, 8, 12}},
    {{-3, 6, 13, 7}},
    {{4, 5, 9, 8}},
    {{0, 14, 12, 5}},
    {{-4, 10, 6, 8}},
    {{-5, 6, 10, 8}},
    {{-2, -2, 1, -2}},
}};
constexpr HalfBoard kKing{{
    {{271, 327, 271, 198}},
    {{278, 303, 234, 179}},
    {{195, 258, 169, 120}},
    {{164, 190, 138, 98}},
    {{154, 179, 105, 70}},
    {{123, 145, 81, 31}},
    {{88, 120, 65, 33}},
    {{59, 89, 45, -1}},
}};

}  // namespace middle_game

namespace end_game {

constexpr FullBoard kPawn{{
    {{0, 0, 0, 0, 0, 0, 0, 0}},
    {{-8, -6, 9, 5, 16, 6, -6, -18}},
    {{-9, -7, -10, 5, 2, 3, -8, -5}},
    {{7, 1, -8, -2, -14, -13, -11, -6}},
    {{12, 6, 2, -6, -5, -4, 14, 9}},
    {{27, 18, 19, 29, 30, 9, 8, 14}},
    {{-1, -14, 13, 22, 24, 17, 7, 7}},
    {{0, 0, 0, 0, 0, 0, 0, 0}},
}};
constexpr HalfBoard kKnight{{
    {{-96, -65, -49, -21}},
    {{-67, -54, -18, 8}},
    {{-40, -27, -8, 29}},
    {{-35, -2, 13, 28}},
    {{-45, -16, 9, 39}},
    {{-51, -44, -16, 17}},
    {{-69, -50, -51, 12}},
    {{-100, -88, -56, -17}},
}};
constexpr HalfBoard kBishop{{
    {{-40, -21, -26, -8}},
    {{-26, -9, -12, 1}},
    {{-11, -1, -1, 7}},
    {{-14, -4, 0, 12}},
    {{-12, -1, -10, 11}},
    {{-21, 4, 3, 4}},
    {{-22, -14, -1, 1}},
    {{-32, -29, -26, -17}},
}};
constexpr HalfBoard kRook{{
    {{-9, -13, -10, -9}},
    {{-12, -9, -1, -2}},
    {{6, -8, -2, -6}},
    {{-6, 1, -9, 7}},
    {{-5, 8, 7, -6}},
    {{6, 1, -7, 10}},
    {{4, 5, 20, -5}},
    {{18, 0, 19, 13}},
}};
constexpr HalfBoard kQueen{{
    {{-69, -57, -47, -26}},
    {{-54, -31, -22, -4}},
    {{-39, -18, -9, 3}},
    {{-23, -3, 13, 24}},
    {{-29, -6, 9, 21}},
    {{-38, -18, -11, 1}},
    {{-50, -27, -24, -8}},
    {{-74, -52, -43, -34}},
}};
constexpr HalfBoard kKing{{
    {{1, 45, 85, 76}},
    {{53, 100, 133, 135}},
    {{88, 130, 169, 175}},
    {{103, 156, 172, 172}},
    {{96, 166, 199, 199}},
    {{92, 172, 184, 191}},
    {{47, 121, 116, 131}},
    {{11, 59, 73, 78}},
}};

}  // namespace end_game

struct Boards {
  FullBoard pawn;
  std::array<HalfBoard, 5> others;  // knight first
};
constexpr Boards kMiddle{middle_game::kPawn,
                         {middle_game::kKnight, middle_game::kBishop, middle_game::kRook,
                          middle_game::kQueen, middle_game::kKing}};
constexpr Boards kEnd{
    end_game::kPawn,
    {end_game::kKnight, end_game::kBishop, end_game::kRook, end_game::kQueen, end_game::kKing}};

constexpr PieceSquareTable make_table(const Boards& boards, int MgEg::*half) {
  PieceSquareTable table{};
  for (const chess::PieceType type : chess::kAllPieceTypes)
    for (int square = 0; square < 64; ++square) {
      const int file = square % 8, rank = square / 8;
      const int bonus =
          type == chess::PieceType::Pawn
              ? boards.pawn[rank][file]
              : boards.others[chess::index(type) - 1][rank][file < 4 ? file : 7 - file];
      const auto value = static_cast<std::int16_t>(value_of(type).*half + bonus);
      table[chess::Piece(chess::Color::White, type).index()][square] = value;
      table[chess::Piece(chess::Color::Black, type).index()][square ^ 56] =
          static_cast<std::int16_t>(-value);
    }
  return table;
}

}  // namespace

constinit const PieceSquareTable kMiddleGameSquares = make_table(kMiddle, &MgEg::mg);
constinit const PieceSquareTable kEndGameSquares = make_table(kEnd, &MgEg::eg);

}  // namespace aleph::eval::classical
