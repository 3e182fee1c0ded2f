// Random numbers whose sums (by xor) name positions. Made by the compiler from a fixed seed, so
// that keys are the same in every build and may be written to files.
#pragma once

#include <array>
#include <cstdint>

#include "base/rng.h"
#include "chess/castling.h"
#include "chess/piece.h"
#include "chess/square.h"

namespace aleph::chess::zobrist {

namespace detail {

struct Numbers {
  std::array<std::array<std::uint64_t, 64>, kPieces> piece{};
  std::array<std::uint64_t, 16> castling{};
  std::array<std::uint64_t, 8> en_passant_file{};
  std::uint64_t black_to_move = 0;
};

consteval Numbers make_numbers() {
  Rng rng(0xA1EF);
  Numbers numbers;
  for (auto& squares : numbers.piece)
    for (auto& number : squares) number = rng.next();
  // Rights combine by xor too, so that any set of them has its own sum.
  const std::array<std::uint64_t, 4> right{rng.next(), rng.next(), rng.next(), rng.next()};
  for (unsigned set = 0; set < 16; ++set)
    for (unsigned i = 0; i < 4; ++i)
      if (set >> i & 1) numbers.castling[set] ^= right[i];
  for (auto& number : numbers.en_passant_file) number = rng.next();
  numbers.black_to_move = rng.next();
  return numbers;
}

inline constexpr Numbers kNumbers = make_numbers();

}  // namespace detail

constexpr std::uint64_t piece(Piece piece, Square square) {
  return detail::kNumbers.piece[piece.index()][square.index()];
}
constexpr std::uint64_t castling(CastlingRights rights) {
  return detail::kNumbers.castling[rights.bits()];
}
constexpr std::uint64_t en_passant(Square square) {
  return detail::kNumbers.en_passant_file[square.file()];
}
constexpr std::uint64_t black_to_move() { return detail::kNumbers.black_to_move; }

}  // namespace aleph::chess::zobrist
