#include "eval/classical/passed.h"

#include "eval/classical/weights.h"

namespace aleph::eval::classical {

namespace {

using enum PieceType;

// Those right behind an enemy pawn count only if a neighbour can go and take it away.
Bitboard real_passers(const Scene& scene, Color us) {
  const Position& position = scene.position;
  const Bitboard passed = scene.pawns.of(us).passed;
  const Bitboard blocked = passed & backward(position.pieces(~us, Pawn), us);
  const Bitboard helpers = chess::forward(position.pieces(us, Pawn), us) & ~position.pieces(~us) &
                           (~scene.of(~us).twice | scene.of(us).all);
  return passed & (~blocked | chess::west(helpers) | chess::east(helpers));
}

// How free the way to promotion is, from 0 to 41.
int freedom(const Scene& scene, Color us, Square pawn) {
  const Position& position = scene.position;
  const SideMap &own = scene.of(us), &enemy = scene.of(~us);
  const Square next = chess::forward_of(pawn, us);
  // A rook or queen behind the pawn guards its whole way.
  const Bitboard behind = file_ahead(~us, pawn) & (position.pieces(Rook) | position.pieces(Queen));
  Bitboard unsafe = passed_span(us, pawn);
  if ((position.pieces(~us) & behind).empty()) unsafe &= enemy.all | position.pieces(~us);

  int free = 0;
  if (unsafe.empty())
    free = 36;
  else if ((unsafe & ~own.by(Pawn)).empty())
    free = 30;
  else if ((unsafe & file_ahead(us, pawn)).empty())
    free = 17;
  else if (!unsafe.has(next))
    free = 7;
  if ((position.pieces(us) & behind).any() || own.all.has(next)) free += 5;
  return free;
}

MgEg score_passer(const Scene& scene, Color us, Square pawn) {
  const Position& position = scene.position;
  const int rank = pawn.relative_rank(us);
  MgEg score = weights::kPassedRank[rank] - weights::kPassedFile * edge_distance(pawn.file());
  if (rank <= 2) return score;

  const int weight = 5 * rank - 13;
  const Square next = chess::forward_of(pawn, us);
  const auto king_steps = [&](Color color, Square to) {
    return std::min(distance(position.king(color), to), 5);
  };
  score.eg += (king_steps(~us, next) * 19 / 4 - king_steps(us, next) * 2) * weight;
  if (rank != 6) score.eg -= king_steps(us, chess::forward_of(next, us)) * weight;
  if (position.is_empty(next)) {
    const int bonus = freedom(scene, us, pawn) * weight;
    score += {bonus, bonus};
  }
  return score;
}

}  // namespace

MgEg score_passed(const Scene& scene, Color us) {
  MgEg score;
  for (const Square pawn : real_passers(scene, us)) score += score_passer(scene, us, pawn);
  return score;
}

}  // namespace aleph::eval::classical
