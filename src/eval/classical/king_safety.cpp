#include "eval/classical/king_safety.h"

#include "eval/classical/shelter.h"
#include "eval/classical/weights.h"

namespace aleph::eval::classical {

namespace {

using enum PieceType;

// Units of danger, not of evaluation.
struct Checks {
  int danger = 0;     // from checks that cost the enemy nothing
  Bitboard doubtful;  // where an enemy could check but would be taken
};

int weight_of(const weights::SafeCheck& weight, Bitboard checks) {
  return checks.empty() ? 0 : weight[checks.several()];
}

// Enemy checks on the next move. A stronger piece's check on a square hides a weaker one's.
Checks possible_checks(const Scene& scene, Color us, Bitboard weak) {
  const Position& position = scene.position;
  const SideMap &own = scene.of(us), &enemy = scene.of(~us);
  const Square king = position.king(us);
  const Bitboard safe = ~position.pieces(~us) & (~own.all | (weak & enemy.twice));
  const Bitboard seen = position.occupied() & ~position.pieces(us, Queen);
  const Bitboard straight = chess::rook_attacks(king, seen);
  const Bitboard diagonal = chess::bishop_attacks(king, seen);

  Checks checks;
  const Bitboard rook = straight & enemy.by(Rook);
  const Bitboard queen =
      (straight | diagonal) & enemy.by(Queen) & safe & ~(own.by(Queen) | (rook & safe));
  const Bitboard bishop = diagonal & enemy.by(Bishop);
  const Bitboard safe_bishop = bishop & safe & ~queen;
  const Bitboard knight = chess::knight_attacks(king) & enemy.by(Knight);
  checks.danger = weight_of(weights::kRookCheck, rook & safe) +
                  weight_of(weights::kQueenCheck, queen) +
                  weight_of(weights::kBishopCheck, safe_bishop) +
                  weight_of(weights::kKnightCheck, knight & safe);
  if ((rook & safe).empty()) checks.doubtful |= rook;
  if (safe_bishop.empty()) checks.doubtful |= bishop;
  if ((knight & safe).empty()) checks.doubtful |= knight;
  return checks;
}

}  // namespace

MgEg score_king(const Scene& scene, Color us) {
  const Position& position = scene.position;
  const SideMap &own = scene.of(us), &enemy = scene.of(~us);
  const Square king = position.king(us);
  MgEg score = king_shelter(position, scene.pawns, us);

  // Attacked, and defended once at most, by nobody but king or queen.
  const Bitboard weak = enemy.all & ~own.twice & (~own.all | own.by(King) | own.by(Queen));
  const Checks checks = possible_checks(scene, us, weak);

  const Bitboard camp = flank_of(king) & relative_ranks(us, 0, 4);
  const int flank_attack = (enemy.all & camp).count() + (enemy.all & enemy.twice & camp).count();
  const int flank_defence = (own.all & camp).count();

  const KingAttack& attack = enemy.king_attack;
  int danger = checks.danger + attack.attackers * attack.weight;
  danger += weights::kDangerBase;
  danger += weights::kWeakRingSquare * (own.king_ring & weak).count();
  danger += weights::kDoubtfulCheck * checks.doubtful.count();
  danger += weights::kKingBlocker * own.king_blockers.count();
  danger += weights::kAttackBesideKing * attack.attacks;
  danger += 3 * flank_attack * flank_attack / 8;
  danger += weights::kFlankDefence * flank_defence;
  danger += (enemy.mobility - own.mobility).mg;
  if (position.pieces(~us, Queen).empty()) danger += weights::kNoEnemyQueen;
  if ((own.by(Knight) & own.by(King)).any()) danger += weights::kKnightBesideKing;
  danger -= 6 * score.mg / 8;  // a good shelter

  // Danger grows with its square: a little of it means nothing.
  if (danger > 100) score -= {danger * danger / 4096, danger / 16};
  if ((position.pieces(Pawn) & flank_of(king)).empty()) score -= weights::kPawnlessFlank;
  return score - weights::kFlankAttack * flank_attack;
}

}  // namespace aleph::eval::classical
