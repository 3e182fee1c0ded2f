#include "eval/classical/attack_map.h"

namespace aleph::eval::classical {

namespace {

// The king and the squares around it; a king at the edge is taken as one step further inside.
Bitboard surroundings(Square king) {
  const Square middle = Square::at(std::clamp(king.file(), 1, 6), std::clamp(king.rank(), 1, 6));
  return chess::king_attacks(middle) | middle;
}

void place(Scene& scene, Color us) {
  const Position& position = scene.position;
  SideMap& own = scene.of(us);
  const Square king = position.king(us);
  const Bitboard pawns = position.pieces(us, PieceType::Pawn);
  const Bitboard two_pawns = attacked_by_two_pawns(pawns, us);
  const Bitboard enemy_pawn_attacks = scene.pawns.of(~us).attacks;

  own.by_type[chess::index(PieceType::King)] = chess::king_attacks(king);
  own.by_type[chess::index(PieceType::Pawn)] = scene.pawns.of(us).attacks;
  own.all = own.by(PieceType::King) | own.by(PieceType::Pawn);
  own.twice = two_pawns | (own.by(PieceType::King) & own.by(PieceType::Pawn));
  own.king_blockers = blockers_before(position, king, position.pieces(~us));

  // No room: own pawns that are blocked or at home, king and queens, pieces that shield the king,
  // and whatever an enemy pawn would take.
  const Bitboard fixed_pawns =
      pawns & (backward(position.occupied(), us) | relative_ranks(us, 1, 2));
  own.mobility_area = ~(fixed_pawns | king | position.pieces(us, PieceType::Queen) |
                        own.king_blockers | enemy_pawn_attacks);

  const Bitboard around = surroundings(king);
  scene.of(~us).king_attack.attackers = (around & enemy_pawn_attacks).count();
  own.king_ring = around & ~two_pawns;
}

}  // namespace

void place_kings_and_pawns(Scene& scene) {
  place(scene, Color::White);
  place(scene, Color::Black);
}

}  // namespace aleph::eval::classical
