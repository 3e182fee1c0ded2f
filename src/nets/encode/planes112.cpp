#include "nets/encode/planes112.h"

#include "nets/encode/leela_symmetry.h"
#include "nets/encode/plane_writer.h"

namespace aleph::nets {

using chess::Bitboard;
using chess::CastlingSide;
using chess::Color;
using chess::PieceType;
using chess::Position;
using chess::Square;

namespace {

constexpr int kPlanesOfBoard = 13, kRepetitionPlane = 12;
constexpr int kCastlingPlane = 104, kTurnPlane = 108, kClockPlane = 109, kArmageddonPlane = 110,
              kOnesPlane = 111;

void write_board(const LeelaHistory::Shown& shown, Color us, LeelaSymmetry symmetry,
                 int first_plane, PlaneWriter& planes) {
  const auto seen = [&](Color color, PieceType type) {
    return symmetry(normalized(shown.board.pieces(color, type), us, Normalization::Flip));
  };
  for (const PieceType type : chess::kAllPieceTypes) {
    const int plane = first_plane + chess::index(type);
    planes.set(plane, seen(us, type));
    planes.set(plane + chess::kPieceTypes, seen(~us, type));
  }
  if (shown.repeated) planes.fill(first_plane + kRepetitionPlane, 1);
}

// Leela has the queen's side first. A position with castling rights is never turned by a symmetry.
void write_castling(const Position& position, int format, PlaneWriter& planes) {
  const Color us = position.side_to_move();
  for (const Color color : {us, ~us})
    for (const CastlingSide side : chess::kCastlingSides) {
      if (!position.castling().has(color, side)) continue;
      const int plane = kCastlingPlane + (side == CastlingSide::King ? 1 : 0);
      if (format == 1)
        planes.fill(plane + (color == us ? 0 : 2), 1);
      else
        planes.set(plane, position.castling_geometry().rook(color, side).relative_to(us));
    }
}

}  // namespace

void encode_planes112(const Position& position, int format, HistoryFill fill,
                      bool earlier_positions, std::span<float> numbers) {
  PlaneWriter planes(numbers, kPlanes112);
  const Color us = position.side_to_move();
  const bool canonical = is_canonical_format(format), black = us == Color::Black;
  const LeelaSymmetry symmetry = canonical ? LeelaSymmetry::of(position.board()) : LeelaSymmetry();
  const auto history = LeelaHistory::of(position, format, fill, earlier_positions);
  int first_plane = 0;
  for (const LeelaHistory::Shown& shown : history.boards()) {
    write_board(shown, us, symmetry, first_plane, planes);
    first_plane += kPlanesOfBoard;
  }
  write_castling(position, format, planes);
  if (!canonical && black) planes.fill(kTurnPlane, 1);
  if (canonical)
    if (const auto passed = leela_en_passant(position.ago(0)))
      planes.set(kTurnPlane, symmetry(Square::at(passed->file(), 7)));
  const float clock = static_cast<float>(position.halfmove_clock());
  planes.fill(kClockPlane, format <= 3 ? clock : clock / 100.0F);
  if ((format == 132 || format == 133) && black) planes.fill(kArmageddonPlane, 1);
  planes.fill(kOnesPlane, 1);
}

}  // namespace aleph::nets
