#include "eval/classical/space.h"

#include "eval/classical/piece_values.h"

namespace aleph::eval::classical {

namespace {

// About what is left when the queens, or six minor pieces, are gone.
constexpr int kEnoughPieces = 11'551;

}  // namespace

MgEg score_space(const Scene& scene, Color us) {
  const Position& position = scene.position;
  if (pieces_value(position) < kEnoughPieces) return {};
  const Bitboard pawns = position.pieces(us, PieceType::Pawn);
  const Bitboard safe =
      kCentralFiles & relative_ranks(us, 1, 3) & ~pawns & ~scene.of(~us).by(PieceType::Pawn);
  // Up to three squares behind a pawn; those count twice if no piece attacks them either.
  Bitboard behind = pawns | backward(pawns, us);
  behind |= backward(backward(behind, us), us);
  const int squares = safe.count() + (behind & safe & ~scene.of(~us).all).count();
  const int weight = position.pieces(us).count() - 3 + std::min(scene.pawns.blocked, 9);
  return {squares * weight * weight / 16, 0};
}

}  // namespace aleph::eval::classical
