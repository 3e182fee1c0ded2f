#include "nets/encode/planes16.h"

#include <algorithm>
#include <cstdlib>

#include "nets/encode/plane_writer.h"

namespace aleph::nets {

using chess::Bitboard;
using chess::Board;
using chess::CastlingSide;
using chess::Color;
using chess::Square;

namespace {

constexpr int kCastlingPlane = 12, kEnPassantPlane = 14, kClockPlane = 15, kDistancePlane = 16,
              kDangerPlane = 18;
constexpr Bitboard kLowerHalf{0x0000'0000'FFFF'FFFF};
constexpr int kDangerSteps = 2;

int king_steps(Square a, Square b) {
  return std::max(std::abs(a.file() - b.file()), std::abs(a.rank() - b.rank()));
}

void write_planes16(const Board& board, int halfmove_clock, Normalization normalization,
                    PlaneWriter& planes) {
  const Color us = board.side_to_move();
  planes.men(0, board, us, normalization);
  for (const CastlingSide side : chess::kCastlingSides) {
    const int plane = kCastlingPlane + chess::index(side);
    if (board.castling().has(us, side)) planes.set(plane, kLowerHalf);
    if (board.castling().has(~us, side)) planes.set(plane, ~kLowerHalf);
  }
  if (const auto passed = board.en_passant())
    planes.set(kEnPassantPlane, Bitboard::file(normalized(*passed, us, normalization).file()));
  planes.fill(kClockPlane, static_cast<float>(halfmove_clock) / 100.0F);
}

// Distances and danger of one king, in planes of its own.
void write_king(const Board& board, Color color, Normalization normalization, int distance_plane,
                int danger_plane, PlaneWriter& planes) {
  const Square king = board.king(color);
  for (const Square square : Bitboard::all()) {
    const int steps = king_steps(square, king);
    const Square seen = normalized(square, board.side_to_move(), normalization);
    planes.set(distance_plane, seen, static_cast<float>(steps) / 7.0F);
    if (steps <= kDangerSteps && board.is_attacked(square, ~color, board.occupied()))
      planes.set(danger_plane, seen);
  }
}

}  // namespace

void encode_planes16(const Board& board, int halfmove_clock, Normalization normalization,
                     std::span<float> numbers) {
  PlaneWriter planes(numbers, kPlanes16);
  write_planes16(board, halfmove_clock, normalization, planes);
}

void encode_planes20(const Board& board, int halfmove_clock, Normalization normalization,
                     std::span<float> numbers) {
  PlaneWriter planes(numbers, kPlanes20);
  write_planes16(board, halfmove_clock, normalization, planes);
  const Color us = board.side_to_move();
  write_king(board, us, normalization, kDistancePlane, kDangerPlane, planes);
  write_king(board, ~us, normalization, kDistancePlane + 1, kDangerPlane + 1, planes);
}

}  // namespace aleph::nets
