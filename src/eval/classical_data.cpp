// The end-game half of the piece-square values of Stockfish 14 to 16 (facts, as published with it).
// Rank 1 first, seen from White; all but pawns are symmetric, so that files a-d are enough.
#include "eval/classical.h"

namespace aleph::eval {
namespace {

using HalfBoard = std::array<std::array<std::int16_t, 4>, 8>;
using FullBoard = std::array<std::array<std::int16_t, 8>, 8>;

constexpr std::array<std::int16_t, chess::kPieceTypes> kPieceValues{208, 854, 915, 1380, 2682, 0};

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
constexpr std::array<const HalfBoard*, chess::kPieceTypes> kHalfBoards{nullptr, &kKnight, &kBishop,
                                                                       &kRook,  &kQueen,  &kKing};

constexpr auto make_table() {
  std::array<std::array<std::int16_t, 64>, chess::kPieces> table{};
  for (const chess::PieceType type : chess::kAllPieceTypes)
    for (int square = 0; square < 64; ++square) {
      const int file = square % 8, rank = square / 8, t = chess::index(type);
      const int bonus = type == chess::PieceType::Pawn
                            ? kPawn[rank][file]
                            : (*kHalfBoards[t])[rank][file < 4 ? file : 7 - file];
      const auto value = static_cast<std::int16_t>(kPieceValues[t] + bonus);
      table[chess::Piece(chess::Color::White, type).index()][square] = value;
      table[chess::Piece(chess::Color::Black, type).index()][square ^ 56] =
          static_cast<std::int16_t>(-value);
    }
  return table;
}

}  // namespace

constinit const std::array<std::array<std::int16_t, 64>, chess::kPieces> kClassicalEndgame =
    make_table();

}  // namespace aleph::eval
