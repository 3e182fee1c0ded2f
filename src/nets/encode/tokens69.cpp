#include "nets/encode/tokens69.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace aleph::nets {

using chess::CastlingSide;
using chess::Color;
using chess::PieceType;
using chess::Square;

namespace {

constexpr std::size_t kCastlingPlace = 1, kFirstSquare = 5;
// The enemy's words, by PieceType; rooks come before knights and bishops.
constexpr std::array<int, chess::kPieceTypes> kWords{2, 6, 8, 4, 10, 12};

}  // namespace

void encode_tokens69(const chess::Board& board, Normalization normalization,
                     std::span<std::int16_t> tokens) {
  assert(tokens.size() == static_cast<std::size_t>(kTokens69));
  std::fill(tokens.begin(), tokens.end(), std::int16_t{0});
  const Color us = board.side_to_move();
  tokens[0] = us == Color::White ? 0 : 1;
  std::size_t place = kCastlingPlace;
  for (const Color color : {us, ~us})
    for (const CastlingSide side : chess::kCastlingSides)
      tokens[place++] = board.castling().has(color, side) ? 1 : 0;
  for (const PieceType type : chess::kAllPieceTypes)
    for (const Square square : board.pieces(type)) {
      const int own = board.pieces(us).has(square) ? 1 : 0;
      const int seen = normalized(square, us, normalization).index();
      tokens[kFirstSquare + static_cast<std::size_t>(seen)] =
          static_cast<std::int16_t>(kWords[static_cast<std::size_t>(chess::index(type))] + own);
    }
}

}  // namespace aleph::nets
