#include "nets/encode/planes18.h"

#include "nets/encode/plane_writer.h"

namespace aleph::nets {

using chess::CastlingSide;
using chess::Color;

namespace {

constexpr int kTurnPlane = 12, kCastlingPlane = 13, kEnPassantPlane = 17;

}  // namespace

void encode_planes18(const chess::Board& board, Normalization normalization,
                     std::span<float> numbers) {
  PlaneWriter planes(numbers, kPlanes18);
  const Color us = board.side_to_move();
  planes.men(0, board, us, normalization);
  if (us == Color::White) planes.fill(kTurnPlane, 1);
  for (const CastlingSide side : chess::kCastlingSides) {
    const int plane = kCastlingPlane + chess::index(side);
    if (board.castling().has(us, side)) planes.fill(plane, 1);
    if (board.castling().has(~us, side)) planes.fill(plane + 2, 1);
  }
  if (const auto passed = board.en_passant())
    planes.set(kEnPassantPlane, normalized(*passed, us, normalization));
}

}  // namespace aleph::nets
