// Sets of squares turned over: the whole of it in a few instructions.
#pragma once

#include "chess/bitboard.h"
#include "nets/encode/normalization.h"

namespace aleph::nets {

// a1 <-> a8
constexpr chess::Bitboard mirrored(chess::Bitboard set) {
  return chess::Bitboard(__builtin_bswap64(set.bits()));
}

// a1 <-> h1
constexpr chess::Bitboard flopped(chess::Bitboard set) {
  std::uint64_t bits = set.bits();
  bits = (bits >> 1 & 0x5555'5555'5555'5555) | (bits & 0x5555'5555'5555'5555) << 1;
  bits = (bits >> 2 & 0x3333'3333'3333'3333) | (bits & 0x3333'3333'3333'3333) << 2;
  bits = (bits >> 4 & 0x0F0F'0F0F'0F0F'0F0F) | (bits & 0x0F0F'0F0F'0F0F'0F0F) << 4;
  return chess::Bitboard(bits);
}

// a1 <-> h8; a8 and h1 stay. By exchanging blocks of one, two and four squares across the diagonal
// of squares with file + rank = 7.
constexpr chess::Bitboard transposed(chess::Bitboard set) {
  std::uint64_t bits = set.bits();
  const auto exchange = [&bits](int distance, std::uint64_t lower) {
    const std::uint64_t differing = (bits ^ bits >> distance) & lower;
    bits ^= differing ^ differing << distance;
  };
  exchange(9, 0x0055'0055'0055'0055);
  exchange(18, 0x0000'3333'0000'3333);
  exchange(36, 0x0000'0000'0F0F'0F0F);
  return chess::Bitboard(bits);
}

constexpr chess::Bitboard normalized(chess::Bitboard set, chess::Color side_to_move,
                                     Normalization normalization) {
  if (side_to_move == chess::Color::White) return set;
  return normalization == Normalization::Flip ? mirrored(set) : flopped(mirrored(set));
}

}  // namespace aleph::nets
