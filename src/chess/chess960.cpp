#include "chess/chess960.h"

#include <array>
#include <cassert>
#include <optional>

namespace aleph::chess {

namespace {

using FirstRank = std::array<std::optional<PieceType>, 8>;

void place_on_nth_free(FirstRank& rank, int n, PieceType type) {
  for (auto& square : rank)
    if (!square && n-- == 0) {
      square = type;
      return;
    }
}

// Which two of five free squares the knights take, counted as Scharnagl does.
constexpr std::array<std::array<int, 2>, 10> kKnightPairs{
    {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}};

FirstRank first_rank(int number) {
  FirstRank rank{};
  rank[static_cast<std::size_t>(number % 4 * 2 + 1)] = PieceType::Bishop;  // b, d, f, h: light
  number /= 4;
  rank[static_cast<std::size_t>(number % 4 * 2)] = PieceType::Bishop;
  number /= 4;
  place_on_nth_free(rank, number % 6, PieceType::Queen);
  number /= 6;
  const auto [first, second] = kKnightPairs[static_cast<std::size_t>(number)];
  place_on_nth_free(rank, second, PieceType::Knight);  // the later one first: it moves no other
  place_on_nth_free(rank, first, PieceType::Knight);
  place_on_nth_free(rank, 0, PieceType::Rook);
  place_on_nth_free(rank, 0, PieceType::King);
  place_on_nth_free(rank, 0, PieceType::Rook);
  return rank;
}

}  // namespace

Setup chess960_setup(int number) {
  assert(number >= 0 && number < kChess960Positions);
  const FirstRank rank = first_rank(number);
  Setup setup;
  for (const Color color : {Color::White, Color::Black}) {
    bool king_seen = false;
    for (int file = 0; file < 8; ++file) {
      const auto at = [&](int relative) {
        return Square::at(file, color == Color::White ? relative : 7 - relative);
      };
      const PieceType type = *rank[static_cast<std::size_t>(file)];
      setup.pieces[static_cast<std::size_t>(at(0).index())] = Piece(color, type);
      setup.pieces[static_cast<std::size_t>(at(1).index())] = Piece(color, PieceType::Pawn);
      if (type == PieceType::King) king_seen = true;
      if (type == PieceType::Rook) {
        const auto side = king_seen ? CastlingSide::King : CastlingSide::Queen;
        setup.castling_rooks[static_cast<std::size_t>(castling_index(color, side))] = at(0);
      }
    }
  }
  return setup;
}

}  // namespace aleph::chess
