#include "eval/classical/threats.h"

#include "eval/classical/weights.h"

namespace aleph::eval::classical {

namespace {

using enum PieceType;

MgEg sum_over(const Position& position, Bitboard pieces, const weights::ByPieceType& weight) {
  MgEg sum;
  for (const Square square : pieces) sum += weight[chess::index(position.piece_on(square).type())];
  return sum;
}

// On enemy pieces and pawns that stand there now. `firm`: squares the enemy holds firmly.
MgEg direct_attacks(const Scene& scene, Color us, Bitboard firm) {
  const Position& position = scene.position;
  const SideMap &own = scene.of(us), &enemy = scene.of(~us);
  const Bitboard pieces = position.pieces(~us) & ~position.pieces(Pawn);
  const Bitboard weak = position.pieces(~us) & ~firm & own.all;
  const Bitboard minor_targets = (pieces & firm) | weak;

  MgEg score =
      sum_over(position, minor_targets & (own.by(Knight) | own.by(Bishop)), weights::kByMinor);
  score += sum_over(position, weak & own.by(Rook), weights::kByRook);
  if ((weak & own.by(King)).any()) score += weights::kByKing;
  score += weights::kHanging * (weak & (~enemy.all | (pieces & own.twice))).count();
  score += weights::kGuardedByQueen * (weak & enemy.by(Queen)).count();
  return score;
}

// By pawns where they stand, and after a step.
MgEg pawn_threats(const Scene& scene, Color us) {
  const Position& position = scene.position;
  const SideMap &own = scene.of(us), &enemy = scene.of(~us);
  const Bitboard pawns = position.pieces(us, Pawn), empty = ~position.occupied();
  const Bitboard targets = position.pieces(~us) & ~position.pieces(Pawn);
  const Bitboard safe = ~enemy.all | own.all;

  const Bitboard once = chess::forward(pawns, us) & empty;
  const Bitboard twice = chess::forward(once & chess::relative_rank(us, 2), us) & empty;
  const Bitboard pushed = (once | twice) & ~enemy.by(Pawn) & safe;
  return weights::kBySafePawn * (chess::pawn_attacks(pawns & safe, us) & targets).count() +
         weights::kByPawnPush * (chess::pawn_attacks(pushed, us) & targets).count();
}

// Squares from which a lesser piece would attack the enemy's only queen.
MgEg queen_threats(const Scene& scene, Color us, Bitboard firm) {
  const Position& position = scene.position;
  const SideMap& own = scene.of(us);
  const Bitboard queens = position.pieces(~us, Queen);
  if (queens.count() != 1) return {};
  const Square queen = queens.first();
  const Bitboard safe = own.mobility_area & ~position.pieces(us, Pawn) & ~firm;
  const Bitboard knights = own.by(Knight) & chess::knight_attacks(queen);
  const Bitboard sliders = (own.by(Bishop) & chess::bishop_attacks(queen, position.occupied())) |
                           (own.by(Rook) & chess::rook_attacks(queen, position.occupied()));
  const int times = position.pieces(Queen).count() == 1 ? 2 : 1;  // more if we have none ourselves
  return (weights::kKnightOnQueen * (knights & safe).count() +
          weights::kSliderOnQueen * (sliders & safe & own.twice).count()) *
         times;
}

}  // namespace

MgEg score_threats(const Scene& scene, Color us) {
  const SideMap &own = scene.of(us), &enemy = scene.of(~us);
  const Bitboard firm = enemy.by(PieceType::Pawn) | (enemy.twice & ~own.twice);
  const Bitboard contested = enemy.all & ~firm & own.all;
  return direct_attacks(scene, us, firm) + weights::kRestricted * contested.count() +
         pawn_threats(scene, us) + queen_threats(scene, us, firm);
}

}  // namespace aleph::eval::classical
