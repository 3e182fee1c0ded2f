// Maia-3's 4352 moves: 4096 by origin and target, as from_to.h has them, then promotions: 4096 +
// (from file * 8 + to file) * 4 + piece, the piece being 0 queen, 1 rook, 2 bishop, 3 knight.
//
// Squares are those the mover sees. Castling is the king's move, in Chess960 onto its rook.
#pragma once

#include <optional>

#include "chess/move.h"
#include "nets/encode/from_to.h"

namespace aleph::nets {

inline constexpr int kPolicy4352 = kFromTo + 8 * 8 * kPromotions;

struct Policy4352Move {
  chess::Square from, to;
  std::optional<chess::PieceType> promotion;
  friend bool operator==(const Policy4352Move&, const Policy4352Move&) = default;
};

constexpr int policy4352_index(chess::Square from, chess::Square to,
                               std::optional<chess::PieceType> promotion) {
  if (!promotion) return from.index() * 64 + to.index();
  return kFromTo + (from.file() * 8 + to.file()) * kPromotions + promotion_id(*promotion);
}

constexpr Policy4352Move policy4352_move(int index) {
  using chess::Square;
  if (index < kFromTo)
    return {Square::from_index(index / 64), Square::from_index(index % 64), std::nullopt};
  const int files = (index - kFromTo) / kPromotions;
  return {Square::at(files / 8, 6), Square::at(files % 8, 7),
          promotion_type((index - kFromTo) % kPromotions)};
}

}  // namespace aleph::nets
