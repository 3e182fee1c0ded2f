// PP_3Wide: one feature per pair of pawns, of any colours, that stand on the same or on
// neighbouring files. 96 places a pawn can have (two colours, six ranks), so 96 * 95 / 2 = 4560
// inputs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "chess/bitboard.h"
#include "nnue/features/view.h"

namespace aleph::nnue {

// The pawns must stand on different squares.
constexpr std::uint32_t pawn_pair_index(const View& view, chess::Color color_a, chess::Square a,
                                        chess::Color color_b, chess::Square b) {
  const int place_a = 48 * view.relative(color_a) + view.threat_square(a) - 8;
  const int place_b = 48 * view.relative(color_b) + view.threat_square(b) - 8;
  const int high = std::max(place_a, place_b), low = std::min(place_a, place_b);
  return static_cast<std::uint32_t>(high * (high - 1) / 2 + low);
}

// Every square on the same file or a neighbouring one.
constexpr chess::Bitboard near_files(chess::Square square) {
  const chess::Bitboard file = chess::Bitboard::file(square.file());
  return file | chess::east(file) | chess::west(file);
}

}  // namespace aleph::nnue
