// Leela's 1858 moves: every move that a queen, a knight or a promoting pawn could make on an empty
// board, each with a number of its own.
//
//   0 .. 1791     from a1 to h8, for each the targets from a1 to h8, by queen's or knight's moves.
//                 Promotion to a knight is among these
//   1792 .. 1857  promotions to queen, rook, bishop, by files of origin and target
//
// Squares are those the mover sees. Castling is the king's move onto its rook.
#pragma once

#include <array>
#include <optional>

#include "chess/move.h"

namespace aleph::nets {

inline constexpr int kPolicy1858 = 1858;
inline constexpr int kPolicyPlanes = 80;  // of which 73 are used
inline constexpr int kAttentionPromotions = 8 * 8 * 3;

// A move by squares that the mover sees. Promotions to a knight have the same number as a plain
// move, and come back from it as such.
struct Policy1858Move {
  chess::Square from, to;
  std::optional<chess::PieceType> promotion;  // queen, rook or bishop
  friend bool operator==(const Policy1858Move&, const Policy1858Move&) = default;
};

// Nothing if no piece moves so.
std::optional<int> policy1858_index(chess::Square from, chess::Square to,
                                    std::optional<chess::PieceType> promotion);
Policy1858Move policy1858_move(int index);

// For graphs: where the logit of each of the 1858 moves is among numbers that a head makes.
// Of 64 rows (origins) with 80 planes each: square * 80 + plane.
const std::array<int, kPolicy1858>& policy1858_from_planes();
// Of 4096 scores (from * 64 + to), then 192 logits of promotions: (from file * 8 + to file) * 3 +
// i, i being 0 queen, 1 rook, 2 bishop.
const std::array<int, kPolicy1858>& policy1858_from_attention();

}  // namespace aleph::nets
