#include "eval/classical/shelter.h"

#include "eval/classical/weights.h"

namespace aleph::eval::classical {

namespace {

using chess::CastlingSide;

// The rank of the rearmost pawn, seen from `us`; 0 if there is none.
int rearmost_rank(Bitboard pawns, Color us) {
  return pawns.empty() ? 0 : foremost(~us, pawns).relative_rank(us);
}

MgEg shelter_at(const Position& position, const PawnStructure& pawns, Color us, Square king) {
  const Bitboard not_behind = ~ranks_ahead(~us, king);
  const Bitboard own = position.pieces(us, PieceType::Pawn) & not_behind & ~pawns.of(~us).attacks;
  const Bitboard enemy = position.pieces(~us, PieceType::Pawn) & not_behind;
  MgEg bonus = weights::kShelterBase;
  const int centre = std::clamp(king.file(), 1, 6);
  for (int file = centre - 1; file <= centre + 1; ++file) {
    const int own_rank = rearmost_rank(own & Bitboard::file(file), us);
    const int enemy_rank = rearmost_rank(enemy & Bitboard::file(file), us);
    const int edge = edge_distance(file);
    bonus.mg += weights::kShelterStrength[edge][own_rank];
    if (own_rank != 0 && own_rank == enemy_rank - 1)
      bonus -= weights::kBlockedStorm[enemy_rank];
    else
      bonus.mg -= weights::kFreeStorm[edge][enemy_rank];
  }
  return bonus -
         weights::kKingOnFile[is_half_open(position, us, king)][is_half_open(position, ~us, king)];
}

int steps_to_nearest_pawn(const Position& position, Color us) {
  int steps = 6;  // also if there is none
  for (const Square pawn : position.pieces(us, PieceType::Pawn))
    steps = std::min(steps, distance(position.king(us), pawn));
  return steps;
}

}  // namespace

MgEg king_shelter(const Position& position, const PawnStructure& pawns, Color us) {
  MgEg best = shelter_at(position, pawns, us, position.king(us));
  for (const CastlingSide side : chess::kCastlingSides) {
    if (!position.castling().has(us, side)) continue;
    const MgEg castled = shelter_at(position, pawns, us, chess::castled_king_square(us, side));
    if (castled.mg > best.mg) best = castled;
  }
  best.eg -= weights::kKingToPawn * steps_to_nearest_pawn(position, us);
  return best;
}

}  // namespace aleph::eval::classical
