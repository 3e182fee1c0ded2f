#include "eval/classical/pieces.h"

#include "eval/classical/weights.h"

namespace aleph::eval::classical {

namespace {

using enum PieceType;

MgEg mobility_bonus(PieceType type, int squares) {
  const auto at = static_cast<std::size_t>(squares);
  switch (type) {
    case Knight: return weights::kKnightMobility[at];
    case Bishop: return weights::kBishopMobility[at];
    case Rook: return weights::kRookMobility[at];
    case Queen: return weights::kQueenMobility[at];
    default: return {};
  }
}

// Sliders look through queens, rooks also through their own side's rooks: those will support them.
Bitboard attacks_with_xrays(const Scene& scene, Color us, PieceType type, Square from) {
  const Position& position = scene.position;
  Bitboard seen = position.occupied();
  if (type == Bishop || type == Rook) seen &= ~position.pieces(Queen);
  if (type == Rook) seen &= ~position.pieces(us, Rook);
  const Bitboard attacks = chess::attacks_of(type, from, seen);
  if (!scene.of(us).king_blockers.has(from)) return attacks;
  return attacks & chess::line_through(position.king(us), from);
}

// Either it attacks the squares around the enemy king, or it gets a little for pointing there.
MgEg aim_at_king(Scene& scene, Color us, PieceType type, Square from, Bitboard attacks) {
  const Bitboard ring = scene.of(~us).king_ring;
  if ((attacks & ring).any()) {
    KingAttack& attack = scene.of(us).king_attack;
    ++attack.attackers;
    attack.weight += weights::kAttackerWeight[chess::index(type)];
    attack.attacks += (attacks & scene.of(~us).by(King)).count();
    return {};
  }
  if (type == Rook && (file_of(from) & ring).any()) return weights::kRookOnKingRing;
  const Bitboard all_pawns = scene.position.pieces(Pawn);
  if (type == Bishop && (chess::bishop_attacks(from, all_pawns) & ring).any())
    return weights::kBishopOnKingRing;
  return {};
}

// Squares in the enemy's half that pawns guard or shield and that no enemy pawn can come to attack.
Bitboard outposts(const Scene& scene, Color us) {
  const Bitboard behind_pawns = backward(scene.position.pieces(Pawn), us);
  return relative_ranks(us, 3, 5) & (scene.of(us).by(Pawn) | behind_pawns) &
         ~scene.pawns.of(~us).attack_span;
}

// On the wing, and nothing there to attack.
bool is_idle(const Scene& scene, Color us, Square knight, Bitboard attacks) {
  const Bitboard targets = scene.position.pieces(~us) & ~scene.position.pieces(Pawn);
  return !kCentralFiles.has(knight) && (attacks & targets).empty() &&
         !(targets & half_of(knight)).several();
}

MgEg score_outpost(const Scene& scene, Color us, PieceType type, Square from, Bitboard attacks) {
  const Position& position = scene.position;
  const Bitboard posts = outposts(scene, us);
  if (posts.has(from)) {
    if (type == Knight && is_idle(scene, us, from, attacks))
      return weights::kIdleOutpost * (position.pieces(Pawn) & half_of(from)).count();
    return weights::kOutpost[type == Bishop];
  }
  if (type == Knight && (posts & attacks & ~position.pieces(us)).any())
    return weights::kReachableOutpost;
  return {};
}

MgEg score_minor(const Scene& scene, Color us, PieceType type, Square from, Bitboard attacks) {
  const Position& position = scene.position;
  MgEg score = score_outpost(scene, us, type, from, attacks);
  if (backward(position.pieces(Pawn), us).has(from)) score += weights::kMinorBehindPawn;
  return score - weights::kFarFromKing[type == Bishop] * distance(position.king(us), from);
}

// A bishop in its own corner behind an own pawn: a pattern of Chess960 only.
MgEg cornered_bishop_penalty(const Position& position, Color us, Square bishop) {
  const Square home = bishop.relative_to(us);
  if (!position.is_chess960() || (home != chess::squares::a1 && home != chess::squares::h1))
    return {};
  const Square step = Square::at(home.file() == 0 ? 1 : 6, 1).relative_to(us);
  if (!position.pieces(us, Pawn).has(step)) return {};
  const bool stuck = !position.is_empty(chess::forward_of(step, us));
  return weights::kCorneredBishop * (stuck ? 4 : 3);
}

MgEg score_bishop(const Scene& scene, Color us, Square from) {
  const Position& position = scene.position;
  const Bitboard pawns = position.pieces(us, Pawn);
  const Bitboard blocked = pawns & backward(position.occupied(), us);
  // Own pawns on its shade hamper it, more so if the centre is blocked.
  const int hampered = !scene.of(us).by(Pawn).has(from) + (blocked & kCentralFiles).count();
  const int same_shade_pawns = (pawns & shade_of(from)).count();
  MgEg score;
  score -= weights::kBishopPawns[edge_distance(from.file())] * (same_shade_pawns * hampered);
  score -= weights::kBishopXrayPawns *
           (chess::bishop_attacks(from, Bitboard()) & position.pieces(~us, Pawn)).count();
  if ((chess::bishop_attacks(from, position.pieces(Pawn)) & kCentre).several())
    score += weights::kLongDiagonal;
  return score - cornered_bishop_penalty(position, us, from);
}

MgEg score_rook(const Scene& scene, Color us, Square from, int mobility) {
  const Position& position = scene.position;
  if (is_half_open(position, us, from))
    return is_half_open(position, ~us, from) ? weights::kRookOnOpenFile
                                             : weights::kRookOnHalfOpenFile;
  MgEg score;
  const Bitboard blocked = position.pieces(us, Pawn) & backward(position.occupied(), us);
  if ((blocked & file_of(from)).any()) score -= weights::kRookOnClosedFile;
  // Shut in on the short side of its king.
  const int king_file = position.king(us).file();
  if (mobility <= 3 && (king_file < 4) == (from.file() < king_file))
    score -= weights::kTrappedRook * (position.castling().any_of(us) ? 1 : 2);
  return score;
}

MgEg score_queen(const Position& position, Color us, Square from) {
  const Bitboard sliders = position.pieces(~us) & (position.pieces(Rook) | position.pieces(Bishop));
  return blockers_before(position, from, sliders).any() ? MgEg{} - weights::kQueenInSight : MgEg{};
}

}  // namespace

MgEg score_pieces(Scene& scene, Color us, PieceType type) {
  SideMap& own = scene.of(us);
  MgEg score;
  for (const Square from : scene.position.pieces(us, type)) {
    const Bitboard attacks = attacks_with_xrays(scene, us, type, from);
    own.add(type, attacks);
    score += aim_at_king(scene, us, type, from, attacks);
    const int room = (attacks & own.mobility_area).count();
    own.mobility += mobility_bonus(type, room);
    if (type == Knight || type == Bishop) score += score_minor(scene, us, type, from, attacks);
    if (type == Bishop) score += score_bishop(scene, us, from);
    if (type == Rook) score += score_rook(scene, us, from, room);
    if (type == Queen) score += score_queen(scene.position, us, from);
  }
  return score;
}

}  // namespace aleph::eval::classical
